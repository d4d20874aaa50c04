import { changesView } from '../../engine/context/view/changes-view.ts'
import { parseEntry } from '../../model/entry.ts'
import type { Entry, EntryDraft, Seq } from '../../model/types.ts'
import type { AppendOptions, Session, StoreDeps } from '../store.ts'

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
