import { recordPlace } from '../../engine/record/read/record-place.ts'
import { type Message, type Part, partsOf } from '../../model/message/message.ts'
import { type RecordMark, recordMarkIn } from '../records/record-mark.ts'
import type { MessageStep } from './conversation.ts'
import { linksOf } from './links.ts'

/** A conversation that goes on from a summary, in the client's own frame. */
export type Beginning = {
  /** The step with the summary. */
  readonly at: number
  /** What stands behind the summary in that step. */
  readonly rest: Message
}

/** A conversation that goes on from a record of ours. */
export type MarkedBeginning = Beginning & { readonly mark: RecordMark }

export function markedBeginning(steps: readonly MessageStep[], key: Uint8Array): MarkedBeginning | undefined {
  return beginningWith(steps, (text, role) => {
    const mark = mayBeSummary(text, role) ? recordMarkIn(text, key) : undefined
    return mark && { mark }
  })
}

/** False for a text that may quote the record of another conversation: a file in tags, a reminder, words of the model. */
function mayBeSummary(text: string, role: Message['role']): boolean {
  if (role === 'assistant') return recordPlace(text) !== undefined
  return !/^\s*<(?!summary>|state_snapshot>)/.test(text)
}

/**
 * The last text that a conversation begins with and that is known. It counts only before the first call: a tool may print
 * anything, also the record of another conversation.
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
 * The messages behind the record that do not stand at the end of the log already: clients keep a tail, and send it again.
 * The log may have more before that tail: results that the record tells.
 */
export function newBehind(
  beginning: Beginning,
  steps: readonly MessageStep[],
  tail: readonly Message[],
): MessageStep[] {
  const behind = stepsBehind(beginning, steps)
  const { skipped, same } = repeatedLinks(behind, tail)
  let left = skipped + same
  return behind.filter(({ message }) => {
    const links = linksOf(message).length
    left -= links
    return links > 0 && left < 0
  })
}

/** How many messages at the end of the log the client says again behind the summary. */
export function keptOf(beginning: Beginning, steps: readonly MessageStep[], tail: readonly Message[]): number {
  let { same } = repeatedLinks(stepsBehind(beginning, steps), tail)
  return tail.toReversed().filter((message) => {
    same -= linksOf(message).length
    return same >= 0
  }).length
}

/** True when these messages are what stands behind the record: a client that worked on while it compacted says them again. */
export function saysAgain(beginning: Beginning, steps: readonly MessageStep[], messages: readonly Message[]): boolean {
  const said = stepsBehind(beginning, steps).flatMap(({ message }) => linksOf(message))
  return messages.flatMap(linksOf).every((link, i) => said[i] === link)
}

function stepsBehind({ at, rest }: Beginning, steps: readonly MessageStep[]): MessageStep[] {
  return steps.slice(at).map((step, i) => (i === 0 ? { ...step, message: rest } : step))
}

/**
 * How many links at the beginning are the end of the log again. Gemini CLI and qwen-code let the model say "Got it. Thanks
 * for the additional context!" before it, and qwen-code tells a few files: words of the frame, which count as repeated.
 */
function repeatedLinks(behind: readonly MessageStep[], tail: readonly Message[]): { skipped: number; same: number } {
  const said = behind.flatMap(({ message }) => linksOf(message))
  const known = tail.flatMap(linksOf)
  for (let skipped = 0; skipped <= MOST_FRAME; skipped++) {
    const from = known.findIndex((_, start) => known.slice(start).every((link, i) => said[skipped + i] === link))
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
