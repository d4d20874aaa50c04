/**
 * The known parts of a text before a shell has expanded it: literal texts, and holes for the expansions. `any`: anything;
 * `segment`: anything without `/`; `digits`: a number; `one`: a character except `/`; `one-not-dot`: a character except `/` and a dot.
 */
export type TextShape = readonly ShapePart[]
export type ShapePart = { readonly text: string } | { readonly hole: Hole }
export type Hole = 'any' | 'segment' | 'digits' | 'one' | 'one-not-dot'

export const ANYTHING: TextShape = [{ hole: 'any' }]

export function literal(text: string): TextShape {
  return text === '' ? [] : [{ text }]
}

/** The text itself if it has no holes. */
export function exactText(shape: TextShape): string | undefined {
  return shape.every((part) => 'text' in part)
    ? shape.map((part) => ('text' in part ? part.text : '')).join('')
    : undefined
}

/** The shape of a pattern in which `*` matches any characters. */
export function wildcardShape(pattern: string, hole: Hole = 'any'): TextShape {
  return pattern.split('*').flatMap((text, i) => [...(i === 0 ? [] : [{ hole }]), ...literal(text)])
}

/** True when some text has both shapes. */
export function canMeet(a: TextShape, b: TextShape): boolean {
  if (!startsAlike(a, b)) return false
  const one = exactText(a)
  const other = exactText(b)
  if (one !== undefined && other !== undefined) return one === other
  const repeats = (unit: Unit) => unit.repeats
  const meet = (one: Unit, other: Unit) => fits(one, other) && fits(other, one)
  return sequencesMeet(units(a), units(b), { repeatsA: repeats, repeatsB: repeats, meet })
}

/** A quick check: most pairs differ before their first hole. */
function startsAlike(a: TextShape, b: TextShape): boolean {
  const one = startOf(a)
  const other = startOf(b)
  return one.startsWith(other) || other.startsWith(one)
}

/** The text before the first hole. */
function startOf(shape: TextShape): string {
  let start = ''
  for (const part of shape) {
    if ('hole' in part) return start
    start += part.text
  }
  return start
}

type MeetingRules<A, B> = {
  /** True for a part that matches any number of items. */
  readonly repeatsA: (part: A) => boolean
  readonly repeatsB: (part: B) => boolean
  readonly meet: (one: A, other: B) => boolean
}

/** True when two sequences of parts match a common sequence of items. It takes at most the product of their lengths in steps. */
export function sequencesMeet<A, B>(a: readonly A[], b: readonly B[], meeting: MeetingRules<A, B>): boolean {
  // `below[j]`: whether a[i + 1…] and b[j…] have one in common; filled from the ends.
  let below: boolean[] = []
  for (let i = a.length; i >= 0; i--) {
    const row: boolean[] = new Array(b.length + 1).fill(false)
    const one = a[i]
    const freeA = one !== undefined && meeting.repeatsA(one)
    for (let j = b.length; j >= 0; j--) {
      const other = b[j]
      const freeB = other !== undefined && meeting.repeatsB(other)
      const isEnd = i === a.length && j === b.length
      const skips = (freeA && below[j]) || (freeB && row[j + 1])
      const continues = (freeA ? row : below)[freeB ? j : j + 1]
      row[j] =
        isEnd ||
        skips === true ||
        (continues === true && one !== undefined && other !== undefined && meeting.meet(one, other))
    }
    below = row
  }
  return below[0] === true
}

type Unit = { readonly character?: string; readonly hole?: Hole; readonly repeats: boolean }

function units(shape: TextShape): Unit[] {
  return shape.flatMap((part): Unit[] => {
    if ('text' in part) return [...part.text].map((character) => ({ character, repeats: false }))
    return [{ hole: part.hole, repeats: part.hole !== 'one' && part.hole !== 'one-not-dot' }]
  })
}

/** Whether a character, or one that a hole may have, fits into the other unit. */
function fits({ character }: Unit, { character: same, hole }: Unit): boolean {
  if (character === undefined) return true
  switch (hole) {
    case undefined:
      return character === same
    case 'any':
      return true
    case 'digits':
      return /[\d-]/.test(character)
    case 'one-not-dot':
      return character !== '/' && character !== '.'
    default:
      return character !== '/'
  }
}

/** The shape of the names that a glob pattern of a program (`find -name`, `--include`) matches, including hidden names. */
export function globShape(pattern: string): TextShape {
  // No name is that long. The regular expression would search the whole pattern for the end of each `[`.
  if (pattern.length > LONGEST_PATTERN) return [{ hole: 'segment' }]
  return [...pattern.matchAll(/\*+|\?|\[[^\]]*\]|\\.|[^*?[\\]+|[[\\]/gs)].flatMap(([piece]): readonly ShapePart[] => {
    if (piece.startsWith('*')) return [{ hole: 'segment' }]
    if (piece === '?' || (piece.startsWith('[') && piece.length > 1)) return [{ hole: 'one' }]
    return literal(piece.length === 2 && piece.startsWith('\\') ? piece.slice(1) : piece)
  })
}

const LONGEST_PATTERN = 1_000

/** The absolute shape of a path in a folder, without `.` and without each `..` that can be resolved. A path that begins with a hole may be anywhere. */
export function pathShape(folder: TextShape, path: TextShape): TextShape {
  const [first] = path
  if (first !== undefined && 'hole' in first && first.hole === 'any') return normalised(path)
  const isAbsolute = first !== undefined && 'text' in first && first.text.startsWith('/')
  return normalised(isAbsolute ? path : [...folder, { text: '/' }, ...path])
}

/** A path through the folder of a process, `/proc/self/cwd/x` or `/proc/$$/cwd/x`: it may be anywhere. */
export function processPath(path: TextShape): TextShape | undefined {
  const [first, process, last, ...rest] = path
  const isOpen = process !== undefined && 'hole' in process && last !== undefined && 'text' in last
  const start = first !== undefined && 'text' in first ? first.text : ''
  const [, inside] = PROCESS_FOLDER.exec(isOpen ? `${start}0${last.text}` : (exactText(path) ?? '')) ?? []
  return inside === undefined ? undefined : [{ hole: 'any' }, { text: inside }, ...(isOpen ? rest : [])]
}

const PROCESS_FOLDER = /^\/proc\/[^/]+\/(?:cwd|root)(\/.*)$/s

/** The paths below one. */
export function belowShape(path: TextShape): TextShape {
  return [...path, { text: '/' }, { hole: 'any' }]
}

function normalised(path: TextShape): TextShape {
  const kept: TextShape[] = []
  const segments = segmentsOf(path)
  for (const segment of segments.slice(1)) {
    const text = exactText(segment)
    if (text === '' || text === '.') continue
    const last = kept.at(-1)
    if (text !== '..') kept.push(segment)
    // A hole for any number of folders stays the same without one of them.
    else if (last !== undefined && !isOpen(last)) kept.pop()
  }
  const root = segments[0] ?? []
  return [...root, ...kept.flatMap((segment) => [{ text: '/' }, ...segment])]
}

function isOpen(segment: TextShape): boolean {
  return segment.some((part) => 'hole' in part && part.hole === 'any')
}

/** The parts between slashes. A hole that follows a text in its segment has no slash: `v$VERSION` does not name folders. */
function segmentsOf(path: TextShape): TextShape[] {
  const segments: ShapePart[][] = [[]]
  for (const part of path) {
    const last = segments.at(-1) ?? []
    if ('hole' in part) {
      const follows = last.length > 0 && part.hole === 'any' && !isOpen(last)
      last.push(follows ? { hole: 'segment' } : part)
      continue
    }
    const [head = '', ...tail] = part.text.split('/')
    last.push(...literal(head))
    for (const text of tail) segments.push([...literal(text)])
  }
  return segments
}

/** Checks which files exist. */
export type FileProbe = {
  readonly exists: (path: string) => boolean
  /** All paths below a folder; undefined if there are too many, or links to other folders. */
  readonly below: (folder: string) => readonly string[] | undefined
}

/** Whether there may be a file whose absolute path has both shapes. True if that cannot be checked. */
export function mayExist(forbidden: TextShape, path: TextShape, probe?: FileProbe): boolean {
  if (!canMeet(forbidden, path)) return false
  if (probe === undefined) return true
  const file = exactText(forbidden)
  if (file !== undefined) return probe.exists(file)
  const folder = folderOf(path) ?? folderOf(forbidden)
  const files = folder === undefined ? undefined : probe.below(folder)
  return files?.some((one) => canMeet(forbidden, literal(one)) && canMeet(path, literal(one))) ?? true
}

/** The folder that contains every path of a shape. */
function folderOf(path: TextShape): string | undefined {
  const open = path.findIndex((part) => 'hole' in part)
  const start = exactText(open === -1 ? path : path.slice(0, open)) ?? ''
  const end = start.lastIndexOf('/')
  return end <= 0 ? undefined : start.slice(0, end)
}
