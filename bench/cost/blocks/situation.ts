import { callsOf, type Message, outputText, partsOf, resultsOf, textOf } from '../../../src/model/types.ts'
import type { MeasuredMessage } from '../../../src/study/replay/measured-log.ts'
import { isIdentifier, stringsIn, usedBy } from '../references.ts'
import { type Block, filesOf, linesOf, textWords } from './block.ts'

/** How often something was used, and the tokens that had been said when it was used last. */
export type Usage = { readonly count: number; readonly last: number }

/** Everything that a rule may know at a compaction: what was said before it, and nothing of what follows. */
export type Situation = {
  /** The tokens that have been said. */
  readonly said: number
  /** The blocks outside the view that show at least one line for the last time, in the order of the log. */
  readonly candidates: readonly Block[]
  /** The lines and words in view. */
  readonly shownLines: ReadonlySet<string>
  readonly shownWords: ReadonlySet<string>
  /** The calls that named a file, the calls that changed it, and the calls that named a word. */
  readonly touched: ReadonlyMap<string, Usage>
  readonly changed: ReadonlyMap<string, Usage>
  readonly called: ReadonlyMap<string, Usage>
  /** Names in the last message of the user, in what the agent said last, in its to-dos, and in the last errors. */
  readonly asked: ReadonlySet<string>
  readonly thought: ReadonlySet<string>
  readonly planned: ReadonlySet<string>
  readonly failed: ReadonlySet<string>
}

export type SituationInput = {
  readonly said: number
  /** The messages before the compaction. */
  readonly messages: readonly MeasuredMessage[]
  /** The blocks of these messages. */
  readonly blocks: readonly Block[]
  /** The messages in view afterwards. */
  readonly view: readonly Message[]
  /** The words in view, outside bare lists of names. */
  readonly shownWords: ReadonlySet<string>
  readonly places: ReadonlyMap<Message, number>
}

export function situationAt({ said, messages, blocks, view, shownWords, places }: SituationInput): Situation {
  const inView = new Set(view)
  const seqsInView = new Set(messages.filter(({ message }) => inView.has(message)).map(({ seq }) => seq))
  const lastShown = new Map<string, Block>()
  for (const block of blocks) for (const line of block.lines) lastShown.set(line, block)
  const replaced = new Map<string, number>()
  const touched = new Map<string, Usage>()
  const changed = new Map<string, Usage>()
  const called = new Map<string, Usage>()
  for (const { message } of messages) {
    const place = places.get(message) ?? 0
    for (const call of callsOf(message)) {
      const old = oldTexts(call.input)
      for (const text of old) for (const line of linesOf(text)) replaced.set(line, place)
      for (const file of filesOf(call)) {
        note(touched, file, place)
        if (old.length > 0) note(changed, file, place)
      }
    }
    for (const words of usedBy(message)) for (const word of words) note(called, word, place)
  }
  const isLast = (block: Block) =>
    block.lines.some((line) => lastShown.get(line) === block && (replaced.get(line) ?? -1) <= block.place)
  const texts = view.map((message) => stringsIn(message.content).join('\n'))
  return {
    said,
    candidates: blocks.filter((block) => !seqsInView.has(block.seq) && isLast(block)),
    shownLines: new Set(texts.flatMap(linesOf)),
    shownWords,
    touched,
    changed,
    called,
    ...recentNames(messages.map(({ message }) => message)),
  }
}

function note(usages: Map<string, Usage>, name: string, last: number): void {
  usages.set(name, { count: (usages.get(name)?.count ?? 0) + 1, last })
}

function oldTexts(value: unknown): string[] {
  if (typeof value === 'string') return value.includes('*** Begin Patch') ? [taken(value)] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' && /^old/i.test(key) ? [inner] : oldTexts(inner),
  )
}

function taken(patch: string): string {
  return patch
    .split('\n')
    .filter((line) => line.startsWith('-'))
    .map((line) => line.slice(1))
    .join('\n')
}

/** The last messages that are read for names. */
const RECENT_MESSAGES = 12
const FAILURE = /\b(?:error|failed|failure|FAIL|exception|traceback|panic)\b/i

function recentNames(messages: readonly Message[]): Pick<Situation, 'asked' | 'thought' | 'planned' | 'failed'> {
  const recent = messages.slice(-RECENT_MESSAGES)
  const user = messages.findLast(({ role }) => role === 'user')
  const plans = messages.findLast((message) => callsOf(message).some(({ toolName }) => /todo|plan/i.test(toolName)))
  const errors = messages
    .slice(-4 * RECENT_MESSAGES)
    .flatMap((message) => resultsOf(message).map(({ output }) => outputText(output)))
    .flatMap((text) => text.split('\n').filter((line) => FAILURE.test(line)))
  const thoughts = recent
    .filter(({ role }) => role === 'assistant')
    .flatMap((message) =>
      typeof message.content === 'string'
        ? [message.content]
        : partsOf(message).flatMap((part) => (part.type === 'text' || part.type === 'reasoning' ? [part.text] : [])),
    )
  const planned = plans === undefined ? [] : callsOf(plans).flatMap(({ input }) => stringsIn(input))
  return {
    asked: codeNames(user === undefined ? '' : textOf(user)),
    thought: codeNames(thoughts.join('\n')),
    planned: codeNames(planned.join('\n')),
    failed: codeNames(errors.slice(-40).join('\n')),
  }
}

/** Names as in code: ordinary words would be in every block. */
function codeNames(text: string): Set<string> {
  return new Set([...textWords(text)].filter(isIdentifier))
}
