import { exactText, literal, type ShapePart, type TextShape } from './text-shape.ts'

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
