/** The files that a patch changes, once each: the body of an apply_patch call, a unified diff, or both mixed. */
export function patchFiles(patch: string): string[] {
  const files = new Set<string>()
  let old: string | undefined
  for (const line of linesOf(patch)) {
    const header = PATCH_HEADER.exec(line) ?? RENAME.exec(line)
    if (header?.[1] !== undefined) files.add(header[1].trim())
    // `--- x` alone may be a deleted line `-- x`: only the pair is a header.
    if (old !== undefined && line.startsWith('+++ ')) for (const file of pairFiles(old, line.slice(4))) files.add(file)
    old = line.startsWith('--- ') ? line.slice(4) : undefined
  }
  files.delete('')
  return [...files]
}

const PATCH_HEADER = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to):(.{1,4096})$/
const RENAME = /^rename (?:from|to) (.{1,4096})$/
const NOTHING = '/dev/null'

function pairFiles(before: string, after: string): string[] {
  const [from, to] = [diffPath(before), diffPath(after)]
  const prefixed = (from === NOTHING || /^[a-z]\//.test(from)) && (to === NOTHING || /^[a-z]\//.test(to))
  return [from, to].filter((path) => path !== NOTHING).map((path) => (prefixed ? path.slice(2) : path))
}

/** A path of a diff header, without the time after a tab and the quotes around an unusual name. */
function diffPath(text: string): string {
  const path = (text.split('\t', 1)[0] ?? '').trim()
  return path.length > 1 && path.startsWith('"') && path.endsWith('"') ? path.slice(1, -1) : path
}

function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    yield text.slice(start, text[end - 1] === '\r' ? end - 1 : end)
    start = end + 1
  }
}
