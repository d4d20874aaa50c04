import { literal, type ShapePart, type TextShape } from './text-shape.ts'

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
