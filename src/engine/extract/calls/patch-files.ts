import { withSlashes } from './paths.ts'

/** A file of a patch. A move has two of them, and each names the other. */
export type PatchFile = {
  readonly path: string
  readonly change?: 'created' | 'deleted'
  readonly to?: string
  readonly from?: string
}

/** The files that a patch changes, once each: the body of an apply_patch call, a unified diff, or both mixed. */
export function patchFiles(patch: string): PatchFile[] {
  const files = new Map<string, PatchFile>()
  const add = (file: PatchFile) => file.path !== '' && files.set(file.path, { ...files.get(file.path), ...file })
  let old: string | undefined
  let source = ''
  for (const line of patch.split(/\r?\n/)) {
    const header = PATCH_HEADER.exec(line) ?? RENAME.exec(line)
    if (header !== null) {
      const [kind = '', path] = [header[1], withSlashes(header[2]?.trim() ?? '')]
      if (kind === 'Move to' || kind === 'rename to') {
        add({ path: source, change: 'deleted', to: path })
        add(source === '' ? { path } : { path, from: source })
      } else add({ path, ...CHANGES.get(kind) })
      source = path
    }
    // `--- x` alone may be a deleted line `-- x`: only the pair is a header.
    if (old !== undefined && line.startsWith('+++ ')) for (const file of pairFiles(old, line.slice(4))) add(file)
    old = line.startsWith('--- ') ? line.slice(4) : undefined
  }
  return [...files.values()]
}

const PATCH_HEADER = /^\*\*\* (Add File|Update File|Delete File|Move to):(.{1,4096})$/
const RENAME = /^(rename from|rename to) (.{1,4096})$/
const NOTHING = '/dev/null'
const CHANGES: ReadonlyMap<string, Pick<PatchFile, 'change'>> = new Map([
  ['Add File', { change: 'created' }],
  ['Delete File', { change: 'deleted' }],
])

function pairFiles(before: string, after: string): PatchFile[] {
  const [from, to] = [diffPath(before), diffPath(after)]
  const prefixed = (from === NOTHING || /^[a-z]\//.test(from)) && (to === NOTHING || /^[a-z]\//.test(to))
  const plain = (path: string) => (prefixed ? path.slice(2) : path)
  if (from === NOTHING) return to === NOTHING ? [] : [{ path: plain(to), change: 'created' }]
  if (to === NOTHING) return [{ path: plain(from), change: 'deleted' }]
  return [from, to].map((path) => ({ path: plain(path) }))
}

/** A path of a diff header, without the time after a tab and the quotes around an unusual name. */
function diffPath(text: string): string {
  const path = (text.split('\t', 1)[0] ?? '').trim()
  return withSlashes(path.length > 1 && path.startsWith('"') && path.endsWith('"') ? path.slice(1, -1) : path)
}
