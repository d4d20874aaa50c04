import type { Entry, FileState, KeptFile } from '../../model/types.ts'

/** A file over a part of the log: its state before, and its state after the last change. */
export type FileSpan = {
  readonly path: string
  /** Undefined if the content was not stored; `unkept` has the reason. */
  readonly before: FileState | undefined
  /** The hash or its beginning; undefined if the end of the change was not seen. */
  readonly after: FileState | undefined
  readonly mode?: number
  readonly unkept?: string
}

/** The files that these entries changed, in the order of their paths. */
export function fileSpans(entries: readonly Entry[]): FileSpan[] {
  const spans = new Map<string, FileSpan>()
  for (const entry of entries) {
    if (entry.type === 'checkpoint') for (const file of entry.files) spans.set(file.path, extended(spans, file))
    if (entry.type !== 'message') continue
    for (const { path, access, hash } of entry.files ?? []) {
      const span = spans.get(path)
      // Changes without a hash came from a command. Its checkpoint has their hashes.
      if (span !== undefined && access === 'modified' && hash !== undefined) spans.set(path, { ...span, after: hash })
    }
  }
  return [...spans.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

function extended(spans: ReadonlyMap<string, FileSpan>, { path, before, after, mode, unkept }: KeptFile): FileSpan {
  const first = spans.get(path)
  return first === undefined ? { path, before, after, mode, unkept } : { ...first, after }
}

/** True if this is the state in which the span left the file. */
export function isAsLeft({ after }: FileSpan, now: FileState): boolean {
  if (typeof after !== 'string' || typeof now !== 'string') return after === now
  // Tools store only the beginning of the hash.
  return now.startsWith(after)
}
