import { type Message, type Part, partsOf } from '../../model/message.ts'
import { type RecordMark, recordMarkIn } from '../records/record-mark.ts'
import type { Step } from './conversation.ts'
import { linksOf } from './links.ts'

/** A conversation that goes on from a record of ours, in the client's own frame. */
export type MarkedBeginning = {
  readonly mark: RecordMark
  /** The step with the record. */
  readonly at: number
  /** What stands behind the record in that step. */
  readonly rest: Message
}

/**
 * The record that a conversation begins with. It counts only before the first call: a tool may print anything, also the
 * record of another conversation.
 */
export function markedBeginning(steps: readonly Step[], key: Uint8Array): MarkedBeginning | undefined {
  let found: MarkedBeginning | undefined
  for (const [at, { message }] of steps.entries()) {
    const parts = partsOf(message)
    for (const [i, part] of parts.entries()) {
      if (part.type === 'tool-call' || part.type === 'tool-result') return found
      const mark = part.type === 'text' ? recordMarkIn(part.text, key) : undefined
      if (mark !== undefined) found = { mark, at, rest: withParts(message, parts.slice(i + 1)) }
    }
  }
  return found
}

/** The messages behind the record that do not stand at the end of the log already: clients keep a tail, and send it again. */
export function newBehind({ at, rest }: MarkedBeginning, steps: readonly Step[], tail: readonly Message[]): Step[] {
  const behind: Step[] = steps.slice(at).map((step, i) => (i === 0 ? { ...step, message: rest } : step))
  const known = tail.flatMap(linksOf)
  let links = 0
  const isNew = behind.map(({ message }) => {
    const own = linksOf(message)
    const isKnown = own.every((link, i) => known[links + i] === link)
    if (isKnown) links += own.length
    return !isKnown
  })
  const first = isNew.indexOf(true)
  return first === -1 ? [] : behind.slice(first).filter(({ message }) => linksOf(message).length > 0)
}

function withParts(message: Message, content: readonly Part[]): Message {
  return { ...message, content: [...content] } as Message
}
