/**
 * Paths as lines that say each folder once: `- src/engine/: plan.ts, view.ts`, and before them, where all or most of
 * the paths have it, the folder that they have in common.
 */
export function byFolder(paths: readonly string[]): string[] {
  const root = commonRoot(paths)
  const under = paths.filter((path) => root !== '' && path.startsWith(root)).map((path) => path.slice(root.length))
  const others = paths.filter((path) => root === '' || !path.startsWith(root))
  return [...(root === '' ? [] : [`Under ${root}`]), ...grouped(under), ...grouped(others)]
}

/** A root is worth a line when it is long and at least three paths are under it. */
const ROOT_CHARACTERS = 12
const ROOT_PATHS = 3

/** The longest folder that most of the absolute paths have in common. */
function commonRoot(paths: readonly string[]): string {
  const absolute = paths.filter((path) => path.startsWith('/')).toSorted()
  if (absolute.length < ROOT_PATHS) return ''
  // In sorted order those with a common root stand together: the middle one is among the most.
  const segments = (absolute[absolute.length >> 1] ?? '').split('/')
  for (let length = segments.length - 1; length > 1; length--) {
    const root = `${segments.slice(0, length).join('/')}/`
    const under = absolute.filter((path) => path.startsWith(root)).length
    if (root.length >= ROOT_CHARACTERS && under >= ROOT_PATHS && under * 3 >= absolute.length * 2) return root
  }
  return ''
}

function grouped(paths: readonly string[]): string[] {
  const folders = new Map<string, string[]>()
  for (const path of paths.toSorted()) {
    const slash = path.lastIndexOf('/') + 1
    const folder = path.slice(0, slash)
    const names = folders.get(folder)
    if (names === undefined) folders.set(folder, [path.slice(slash)])
    else names.push(path.slice(slash))
  }
  return [...folders].flatMap(([folder, names]) => {
    if (folder === '' && names.length > 1) return [`- ${names.join(', ')}`]
    return names.length === 1 ? [`- ${folder}${names[0]}`] : [`- ${folder}: ${names.join(', ')}`]
  })
}
