import type { Message } from '../../model/types.ts'
import { messageShown } from '../truth/needed.ts'
import { type ToolStep, toolSteps } from '../truth/steps.ts'
import { commandOf } from '../truth/tools.ts'

/** A context, prepared for searching. */
export type Shown = {
  /** All of it, every run of white space one space. */
  readonly flat: string
  /** The same, line by line. */
  readonly lines: readonly string[]
  /** Words, and the last parts of paths. */
  readonly words: ReadonlySet<string>
  /** Parts of paths. */
  readonly folders: ReadonlySet<string>
  /** How the last run of each command ended, if its call and result are in the context verbatim. */
  readonly ran: ReadonlyMap<string, string>
}

/** Collects all that a context shows: words, arguments of calls and results, but not reasoning. */
export function shownBy(messages: readonly Message[]): Shown {
  const text = messages.map(messageShown).join('\n')
  const ran = endsIn(messages)
  return {
    flat: squashed(text),
    lines: text.split('\n').map(squashed),
    words: new Set(text.split(BETWEEN_WORDS).map(lastName)),
    folders: new Set(text.split(/[^\w@.+~-]+/)),
    ran,
  }
}

/** Only the last run counts: if its result is masked, nobody knows how it ended, whatever an earlier run showed. */
function endsIn(messages: readonly Message[]): Map<string, string> {
  const ran = new Map<string, string>()
  for (const step of toolSteps(messages)) {
    const command = commandOf(step)
    if (command === undefined) continue
    if (step.output !== undefined && !isMasked(step)) ran.set(squashed(command), step.outcome)
    else ran.delete(squashed(command))
  }
  return ran
}

/**
 * True if a method wrote a remark instead of a result: it does not say how the command ended. A provider marks a failure beside the text; success is
 * not marked, so it is unknown once the text is gone.
 */
export function isMasked({ output = '', outcome }: ToolStep): boolean {
  return outcome !== 'failed' && /^\s*\[[A-Za-z][^\]]*\]\s*$|^\[(?:masked|Old)\b/.test(output)
}

export function squashed(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

export const BETWEEN_WORDS = /[\s`"'“”‘’()[\]{}<>,;|=*]+/

export function lastName(word: string): string {
  return (word.split(/[\\/]/).at(-1) ?? '').replace(/[.:!?…]+$/g, '')
}
