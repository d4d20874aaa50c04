import type { Entry } from '../../model/entry.ts'
import type { FileState, KeptFile } from '../../model/kept-file.ts'

/** A file over a part of the log: as it was before, and as the last change in it left it. */
export type FileSpan = {
  readonly path: string
  /** Undefined when the content was not kept; `unkept` says why. */
  readonly before: FileState | undefined
  /** The hash or its beginning; undefined when nobody saw how the change ended. */
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
      // Changes without a hash came from a command: its checkpoint has their hashes.
      if (span !== undefined && access === 'modified' && hash !== undefined) spans.set(path, { ...span, after: hash })
    }
  }
  return [...spans.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

function extended(spans: ReadonlyMap<string, FileSpan>, { path, before, after, mode, unkept }: KeptFile): FileSpan {
  const first = spans.get(path)
  return first === undefined ? { path, before, after, mode, unkept } : { ...first, after }
}

/** True when a file with this state is as the span left it. */
export function isAsLeft({ after }: FileSpan, now: FileState): boolean {
  if (typeof after !== 'string' || typeof now !== 'string') return after === now
  // Tools note the beginning of the hash.
  return now.startsWith(after)
}
