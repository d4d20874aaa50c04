import type { View } from '../../model/view.ts'

/** What the agent knows of files: the hash at its last read or write, also of what has been compacted since. */
export function seenFiles(view: View): ReadonlyMap<string, string> {
  const known = remembered.get(view)
  if (known !== undefined) return known
  const seen = new Map<string, string>()
  for (const item of view.items) {
    const files = item.kind === 'summary' ? item.index.files : (item.files ?? [])
    for (const { path, hash } of files) if (hash !== undefined) seen.set(path, hash)
  }
  remembered.set(view, seen)
  return seen
}

const remembered = new WeakMap<View, ReadonlyMap<string, string>>()
