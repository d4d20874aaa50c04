const HEIGHTS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const

/** A bar of so many characters, filled to a share between 0 and 1 in steps of an eighth; what is there at all is seen. */
export function bar(share: number, width: number): string {
  const bounded = Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0))
  const eighths = Math.max(bounded > 0 ? 1 : 0, Math.round(bounded * width * 8))
  return `${'█'.repeat(Math.floor(eighths / 8))}${EIGHTHS[eighths % 8] ?? ''}`
}

/** Values as a row of characters, at most `width`; `most` is the full height. Where there are more values than that, each stands for the largest of its group. */
export function sparkline(values: readonly number[], width: number, most: number): string {
  return groups(values, width)
    .map(([from, to]) => heightOf(Math.max(...values.slice(from, to)), most))
    .join('')
}

/** Marks under a sparkline of the same values and width: one where any value of a group is marked. */
export function marks(marked: readonly boolean[], width: number, mark: string): string {
  return groups(marked, width)
    .map(([from, to]) => (marked.slice(from, to).some(Boolean) ? mark : ' '))
    .join('')
    .trimEnd()
}

function heightOf(value: number, most: number): string {
  const step = most > 0 ? Math.ceil((value / most) * HEIGHTS.length) - 1 : 0
  return HEIGHTS[Math.min(HEIGHTS.length - 1, Math.max(0, step))] ?? '▁'
}

/** The bounds of `width` groups of as equal a size as can be, none of them empty. */
function groups(values: readonly unknown[], width: number): (readonly [number, number])[] {
  const count = Math.min(width, values.length)
  return Array.from({ length: count }, (_, i) => [
    Math.floor((i * values.length) / count),
    Math.floor(((i + 1) * values.length) / count),
  ])
}
