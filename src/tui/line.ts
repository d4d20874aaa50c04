/** What a piece of text means; a theme gives each its colour. */
export type Tone =
  | 'plain'
  | 'bold'
  | 'muted'
  | 'accent'
  | 'hint'
  | 'bar'
  | 'warning'
  | 'critical'
  | 'error'
  | 'success'
  | 'added'
  | 'removed'
  | 'code'
  | 'user'

export type Span = readonly [text: string, tone?: Tone]

/** One line of a screen before it has colours. */
export type Line = readonly Span[]

/** A line of one tone. */
export function line(text: string, tone: Tone = 'plain'): Line {
  return [[text, tone]]
}

/** Rows as aligned lines, two spaces between columns; each cell is one span. */
export function table(rows: readonly (readonly Span[])[], align: readonly ('left' | 'right')[] = []): Line[] {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, i) => Math.max(...rows.map((row) => lengthOf(row[i]?.[0] ?? ''))))
  return rows.map((row) =>
    row.flatMap(([text, tone = 'plain'], i): Span[] => {
      const space = ' '.repeat(Math.max(0, (widths[i] ?? 0) - lengthOf(text)))
      const isLast = i === row.length - 1
      const cell: Span = [align[i] === 'right' ? space + text : isLast ? text : text + space, tone]
      return isLast ? [cell] : [cell, ['  ', 'plain']]
    }),
  )
}

function lengthOf(text: string): number {
  return [...text].length
}
