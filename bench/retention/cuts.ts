import { type Entry, featureEstimator, type Message, messageTokens, viewOf } from '../../src/engine.ts'
import type { LogMessage } from '../../src/eval/truth/facts.ts'
import { answerOpenCalls } from '../../src/formats/index.ts'
import type { Session } from './material.ts'

/** A place where a session is compacted: the messages before and after it, and the summary that its agent wrote there. */
export type Cut = {
  readonly name: string
  readonly log: readonly Entry[]
  /** The last view of the model, including an earlier summary by its agent. */
  readonly before: readonly Message[]
  /** The messages since the previous compaction: the questions are about these. */
  readonly span: readonly LogMessage[]
  readonly after: readonly Message[]
  readonly tokens: number
  readonly recorded?: string
}

/** Shares of a log's tokens at which it is cut, in addition to recorded compactions. */
const SHARES = [0.5, 0.8] as const

/**
 * The cuts of a session: at each compaction that it records, and, of the log as if there had been none, at 50 and 80 %
 * of its tokens (of a session with recorded compactions only the latter: for budgets that its agent never needed).
 */
export function cutsOf({ name, entries }: Session): Cut[] {
  const recorded = entries.flatMap((entry, i) => (entry.type === 'compaction' ? [i] : []))
  const whole = entries.filter((entry) => entry.type === 'message')
  const shares = recorded.length > 0 ? SHARES.slice(-1) : SHARES
  return [
    ...recorded.flatMap((place, k) => atCompaction(name, entries, recorded, place, k)),
    ...shares.flatMap((share) => atShare(name, whole, share)),
  ]
}

function atCompaction(name: string, entries: readonly Entry[], places: readonly number[], place: number, k: number) {
  const entry = entries[place]
  if (entry?.type !== 'compaction') return []
  // Messages that the agent kept verbatim after its summary are not covered by the summary.
  const kept = new Set(entry.keep)
  const log = entries.slice(0, place).filter(({ seq }) => !kept.has(seq))
  const span = messagesIn(entries.slice((places[k - 1] ?? -1) + 1, place)).filter(({ seq }) => !kept.has(seq))
  const after = messagesIn(entries.slice(place + 1, places[k + 1])).map(({ message }) => message)
  const isReadable = entry.summary.trim() !== '' && !ENCRYPTED.test(entry.summary)
  const cut = cutOf(`${name}:${k + 1}`, log, span, after)
  return isReadable ? [{ ...cut, recorded: entry.summary }] : [cut]
}

/** Our reader writes this instead of a summary that only its provider can read. */
const ENCRYPTED = /its summary is encrypted and only its provider can read it\.\]$/

function atShare(name: string, entries: readonly Entry[], share: number): Cut[] {
  const sizes = messagesIn(entries).map(({ message }) => messageTokens(message, featureEstimator))
  const wanted = sizes.reduce((sum, tokens) => sum + tokens, 0) * share
  let sum = 0
  let place = sizes.findIndex((tokens) => {
    sum += tokens
    return sum >= wanted
  })
  // A call stays with its result.
  while (place < entries.length && isToolMessage(entries[place])) place++
  const log = entries.slice(0, place)
  const after = messagesIn(entries.slice(place)).map(({ message }) => message)
  if (log.length < 2 || after.length < 2) return []
  return [cutOf(`${name}@${share * 100}%`, log, messagesIn(log), after)]
}

function isToolMessage(entry: Entry | undefined): boolean {
  return entry?.type === 'message' && entry.message.role === 'tool'
}

function cutOf(name: string, entries: readonly Entry[], span: readonly LogMessage[], after: readonly Message[]): Cut {
  const log = answerOpenCalls(entries)
  const before = viewOf(log)
    .items.slice()
    .map(({ message }) => message)
  const tokens = before.reduce((sum, message) => sum + messageTokens(message, featureEstimator), 0)
  return { name, log, before, span, after, tokens }
}

function messagesIn(entries: readonly Entry[]): LogMessage[] {
  return entries.flatMap((entry) => (entry.type === 'message' ? [{ seq: entry.seq, message: entry.message }] : []))
}
