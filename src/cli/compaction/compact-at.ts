import { nextEntry } from '../../engine/context/view/log.ts'
import { viewOf } from '../../engine/context/view/view-of.ts'
import { legalAtOrBefore, legalCuts } from '../../engine/plan/cut-rules.ts'
import { PithError } from '../../model/problems/errors.ts'
import type { Entry, Message } from '../../model/types.ts'

/** A log in parts: the span to summarise, the tail to keep, and how many messages of the file come after the tail. */
export type LogParts = {
  readonly span: readonly Entry[]
  readonly tail: readonly Message[]
  readonly leftOut: number
}

/**
 * Divides a log before message N, or at the Kth compaction that it records. The tail ends at the next compaction, which
 * replaced it.
 */
export function partedAt(log: readonly Entry[], where: string): LogParts {
  const compaction = /^compaction:(\d+)$/.exec(where)
  if (compaction !== null) return atCompaction(log, Number(compaction[1]))
  if (!/^#?\d+$/.test(where))
    throw new PithError('bad-argument', `--at ${where}: write the number of a message, or compaction:K`)
  return atMessage(log, Number(where.replace('#', '')))
}

/** True for a place that names a compaction of the file, not a message. */
export function isCompaction(where: string): boolean {
  return where.startsWith('compaction:')
}

/** The compacted span with the tail appended. */
export function joined(span: readonly Entry[], tail: readonly Message[]): Entry[] {
  const log = [...span]
  // The provider's counts are left out: they are of another view.
  for (const message of tail) log.push(nextEntry(log, { type: 'message', message }))
  return log
}

function atCompaction(log: readonly Entry[], number: number): LogParts {
  const places = log.flatMap((entry, i) => (entry.type === 'compaction' ? [i] : []))
  const place = places[number - 1]
  if (place === undefined) {
    const known =
      places.length === 0 ? 'it records none' : `it records ${places.length}, write compaction:1 to ${places.length}`
    throw new PithError('bad-argument', `--at compaction:${number}: ${known}`)
  }
  return parted(log, log.slice(0, place), place + 1)
}

function atMessage(log: readonly Entry[], number: number): LogParts {
  const last = log.findLast((entry) => entry.type === 'message')?.seq ?? 0
  if (number < 2 || number > last)
    throw new PithError('bad-argument', `--at ${number}: the messages that have others before them are 2 to ${last}`)
  const end = log.findIndex((entry) => entry.type === 'compaction' && entry.seq > number)
  const view = viewOf(end === -1 ? log : log.slice(0, end))
  const wanted = view.items.slice().findIndex((item) => item.kind === 'message' && item.seq >= number)
  if (wanted === -1) throw new PithError('bad-argument', `--at ${number}: that message was compacted by then`)
  // A call stays with its result: the tail may start a little earlier.
  const cut = view.items.at(legalAtOrBefore(legalCuts(view), wanted))
  const from = log.findIndex((entry) => entry.seq === cut?.seq)
  if (cut === undefined || cut.kind === 'summary' || from <= 0)
    throw new PithError('bad-argument', `--at ${number}: there is nothing before it that can be summarised`)
  return parted(log, log.slice(0, from), from)
}

function parted(log: readonly Entry[], span: readonly Entry[], from: number): LogParts {
  const end = log.findIndex((entry, i) => i >= from && entry.type === 'compaction')
  const later = log.slice(from, end === -1 ? undefined : end)
  const messages = (entries: readonly Entry[]) =>
    entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))
  return { span, tail: messages(later), leftOut: end === -1 ? 0 : messages(log.slice(end)).length }
}
