import { recordPlace } from '../../engine/record/record-place.ts'
import { type Message, type Part, partsOf } from '../../model/types.ts'
import { type RecordMark, recordMarkIn } from '../records/seal.ts'
import { looseLinksOf, type MessageStep } from './conversation.ts'

/** A conversation that continues after a summary, with the client's own text around the summary. */
export type Beginning = {
  /** The step with the summary. */
  readonly at: number
  /** The parts after the summary in that step. */
  readonly rest: Message
}

/** A conversation that continues after a record of ours. */
export type MarkedBeginning = Beginning & { readonly mark: RecordMark }

export function markedBeginning(steps: readonly MessageStep[], key: Uint8Array): MarkedBeginning | undefined {
  return beginningWith(steps, (text, role) => {
    const mark = mayBeSummary(text, role) ? recordMarkIn(text, key) : undefined
    return mark && { mark }
  })
}

/** False for a text that may quote the record of another conversation: a file in tags, a reminder, an answer of the model. */
function mayBeSummary(text: string, role: Message['role']): boolean {
  if (role === 'assistant') return recordPlace(text) !== undefined
  return !/^\s*<(?!summary>|state_snapshot>)/.test(text)
}

/**
 * The last text at the beginning of a conversation that `find` recognises. Only texts before the first call count: a tool may
 * print anything, even the record of another conversation.
 */
export function beginningWith<T extends object>(
  steps: readonly MessageStep[],
  find: (text: string, role: Message['role']) => T | undefined,
): (Beginning & T) | undefined {
  let found: (Beginning & T) | undefined
  for (const [at, { message }] of steps.entries()) {
    const parts = partsOf(message)
    for (const [i, part] of parts.entries()) {
      if (part.type === 'tool-call' || part.type === 'tool-result') return found
      const known = part.type === 'text' ? find(part.text, message.role) : undefined
      if (known !== undefined) found = { ...known, at, rest: withParts(message, parts.slice(i + 1)) }
    }
  }
  return found
}

/**
 * The messages after the record that are not at the end of the log already: clients keep a tail, and send it again. The log
 * may have more messages before that tail: results that the record covers.
 */
export function newAfter(beginning: Beginning, steps: readonly MessageStep[], tail: readonly Message[]): MessageStep[] {
  const after = stepsAfter(beginning, steps)
  const { skipped, same } = repeatedLinks(after, tail)
  let left = skipped + same
  return after.filter(({ message }) => {
    const links = looseLinksOf(message).length
    left -= links
    return links > 0 && left < 0
  })
}

/** How many messages at the end of the log the client repeats after the summary. */
export function keptOf(beginning: Beginning, steps: readonly MessageStep[], tail: readonly Message[]): number {
  let { same } = repeatedLinks(stepsAfter(beginning, steps), tail)
  return tail.toReversed().filter((message) => {
    same -= looseLinksOf(message).length
    return same >= 0
  }).length
}

/** True when the client repeats these messages after the record: it does so if it continued to work while it compacted. */
export function repeats(beginning: Beginning, steps: readonly MessageStep[], messages: readonly Message[]): boolean {
  const links = stepsAfter(beginning, steps).flatMap(({ message }) => looseLinksOf(message))
  return messages.flatMap(looseLinksOf).every((link, i) => links[i] === link)
}

function stepsAfter({ at, rest }: Beginning, steps: readonly MessageStep[]): MessageStep[] {
  return steps.slice(at).map((step, i) => (i === 0 ? { ...step, message: rest } : step))
}

/**
 * How many links after the summary repeat the end of the log. Gemini CLI and qwen-code put an answer of the model before
 * them, "Got it. Thanks for the additional context!", and qwen-code lists a few files. These texts are skipped.
 */
function repeatedLinks(after: readonly MessageStep[], tail: readonly Message[]): { skipped: number; same: number } {
  const links = after.flatMap(({ message }) => looseLinksOf(message))
  const known = tail.flatMap(looseLinksOf)
  for (let skipped = 0; skipped <= MOST_FRAME; skipped++) {
    const from = known.findIndex((_, start) => known.slice(start).every((link, i) => links[skipped + i] === link))
    const same = from === -1 ? 0 : known.length - from
    if (same >= (skipped === 0 ? 1 : LEAST_SAME)) return { skipped, same }
  }
  return { skipped: 0, same: 0 }
}

const MOST_FRAME = 6
const LEAST_SAME = 2

function withParts(message: Message, content: readonly Part[]): Message {
  return { ...message, content: [...content] } as Message
}
