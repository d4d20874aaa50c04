import type { FileFact, Seq } from '../types.ts'

/** Everything known about a file from two facts about it, in any order. */
export function mergeFile(old: FileFact, next: FileFact): FileFact {
  const last = (kind: 'modified' | 'created' | 'reverted' | 'deleted' | 'moved') => {
    const seq = Math.max(old[kind] ?? 0, next[kind] ?? 0)
    return seq === 0 ? {} : { [kind]: seq }
  }
  const first = Math.min(firstChange(old), firstChange(next))
  // A later fact without a hash (a shell command named the file) does not mean that its content is unknown now.
  const known = next.hash !== undefined && (old.hash === undefined || next.seq >= old.seq) ? next : old
  const to = (next.deleted ?? 0) >= (old.deleted ?? 0) ? next.to : old.to
  const from = (next.moved ?? 0) >= (old.moved ?? 0) ? next.from : old.from
  const fact: Omit<FileFact, 'access'> = {
    path: next.path,
    seq: Math.max(old.seq, next.seq),
    ...last('modified'),
    ...(wasThereBefore(old, next) ? {} : last('created')),
    ...last('reverted'),
    ...last('deleted'),
    ...(to === undefined ? {} : { to }),
    ...last('moved'),
    ...(from === undefined ? {} : { from }),
    ...(known.hash === undefined ? {} : { hash: known.hash }),
  }
  const isModified = old.access === 'modified' || next.access === 'modified'
  const access = fileAccess(fact, isModified ? 'modified' : 'read')
  return { ...fact, ...(first < firstChange(fact) ? { first } : {}), access }
}

/** True for a file that was written again after it was deleted or changed: it was there before, so git may know it. */
function wasThereBefore(old: FileFact, next: FileFact): boolean {
  const [before, after] = firstChange(old) <= firstChange(next) ? [old, next] : [next, old]
  return before.created === undefined && firstChange(before) < (after.created ?? 0)
}

/** The access after all events of a file; `unknown` if nothing shows when it was changed. */
function fileAccess(fact: Omit<FileFact, 'access'>, unknown: 'read' | 'modified' = 'read'): FileFact['access'] {
  const { seq, modified = 0, reverted = 0, deleted = 0 } = fact
  const last = Math.max(modified, reverted, deleted)
  if (last === 0) return unknown
  // A file that was read after it was deleted is there again.
  if (deleted === last) return seq > deleted ? 'read' : 'deleted'
  return reverted === last ? 'reverted' : 'modified'
}

/** The last entry that changed a file in any way; 0 if none did. */
export function lastChange({ modified = 0, reverted = 0, deleted = 0 }: FileFact): Seq {
  return Math.max(modified, reverted, deleted)
}

/** The first entry that changed a file in any way; infinite if none did. */
export function firstChange({ first, modified, reverted, deleted }: Omit<FileFact, 'access'>): number {
  const none = Number.POSITIVE_INFINITY
  return first ?? Math.min(modified ?? none, reverted ?? none, deleted ?? none)
}
