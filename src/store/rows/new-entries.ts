import { setTimeout as sleep } from 'node:timers/promises'
import { changesView } from '../../engine/context/view/activity.ts'
import { parseEntry } from '../../model/entry.ts'
import type { Entry, EntryDraft, Seq } from '../../model/types.ts'
import type { AppendOptions, ChainMark, Session, StoreDeps } from '../store.ts'

/** The entries of drafts after the end of a log: each gets its id, its seq and its time. */
export function newEntries(
  drafts: readonly EntryDraft[],
  lastSeq: Seq,
  { times }: Pick<AppendOptions, 'times'>,
  { ids, clock }: StoreDeps,
): Entry[] {
  const at = clock()
  return drafts.map((draft, i) => parseEntry({ ...draft, id: ids(), seq: lastSeq + 1 + i, at: times?.[i] ?? at }))
}

/** The row of a session after an append; undefined when nothing was appended. */
export function sessionAfter(
  entries: readonly Entry[],
  { revision }: Pick<Session, 'revision'>,
): Pick<Session, 'lastSeq' | 'revision' | 'updatedAt' | 'title'> | undefined {
  const last = entries.at(-1)
  if (last === undefined) return undefined
  return {
    lastSeq: last.seq,
    revision: entries.findLast(changesView)?.seq ?? revision,
    updatedAt: last.at,
    title: titleIn(entries),
  }
}

/** The title that entries give their session. */
export function titleIn(entries: readonly Entry[]): string | undefined {
  const named = entries.findLast((entry) => entry.type === 'settings' && entry.title !== undefined)
  return named?.type === 'settings' ? named.title : undefined
}

/** True for a message of the user. */
export function opensTurn(entry: Entry): boolean {
  return entry.type === 'message' && entry.message.role === 'user'
}

/** The marks of new entries: each has the value at its position in the list. */
export function marksOf(entries: readonly Entry[], values: readonly string[]): ChainMark[] {
  return entries.flatMap(({ seq }, i) => {
    const value = values[i]
    return value === undefined ? [] : [{ value, seq }]
  })
}

/** A pause that blocks an append, and how long it lasts at most. */
export type PauseLeft = { readonly pausedMs: number }

/** The longest pause. A writer waits no longer than this, whatever happens to the process that asked for it. */
export const MOST_PAUSE_MS = 10_000

const RETRY_MS = 20

/** The wait of one append for the end of a pause. After the first pause it does not wait for another one. */
export class PauseWait {
  #until: number | undefined

  get isOver(): boolean {
    return this.#until !== undefined && performance.now() >= this.#until
  }

  /** The time until the append is tried again. */
  after({ pausedMs }: PauseLeft): Promise<void> {
    this.#until ??= performance.now() + Math.min(pausedMs, MOST_PAUSE_MS)
    return sleep(RETRY_MS)
  }
}
