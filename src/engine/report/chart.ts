const HEIGHTS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const

/** A bar of `width` characters, filled to a share between 0 and 1 in steps of an eighth. A share above 0 is always visible. */
export function bar(share: number, width: number): string {
  const bounded = Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0))
  const eighths = Math.max(bounded > 0 ? 1 : 0, Math.round(bounded * width * 8))
  return `${'█'.repeat(Math.floor(eighths / 8))}${EIGHTHS[eighths % 8] ?? ''}`
}

/** Values as a row of at most `width` characters; `most` is the full height. If there are more values, each character shows the largest of its group. */
export function sparkline(values: readonly number[], width: number, most: number): string {
  return groups(values, width)
    .map(([from, to]) => heightOf(Math.max(...values.slice(from, to)), most))
    .join('')
}

/** Marks under a sparkline of the same values and width: a group is marked if any of its values is. */
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

/** The bounds of `width` groups of nearly equal size, none of them empty. */
function groups(values: readonly unknown[], width: number): (readonly [number, number])[] {
  const count = Math.min(width, values.length)
  return Array.from({ length: count }, (_, i) => [
    Math.floor((i * values.length) / count),
    Math.floor(((i + 1) * values.length) / count),
  ])
}
