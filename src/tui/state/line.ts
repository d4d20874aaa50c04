import { visibleWidth } from '@earendil-works/pi-tui/dist/utils.js'

/** The role of a piece of text. A theme gives each a colour. */
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
  const widths = Array.from({ length: columns }, (_, i) =>
    Math.max(...rows.map((row) => visibleWidth(row[i]?.[0] ?? ''))),
  )
  return rows.map((row) =>
    row.flatMap(([text, tone = 'plain'], i): Span[] => {
      const space = ' '.repeat(Math.max(0, (widths[i] ?? 0) - visibleWidth(text)))
      const isLast = i === row.length - 1
      const cell: Span = [align[i] === 'right' ? space + text : isLast ? text : text + space, tone]
      return isLast ? [cell] : [cell, ['  ', 'plain']]
    }),
  )
}

/** The rows without the columns that do not fit. The last shown column may be cut, but not to a few characters. */
export function fitting(rows: readonly (readonly Span[])[], width: number): (readonly Span[])[] {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  let room = width
  let count = 0
  while (count < columns && (count === 0 || room >= LEAST_COLUMN)) {
    const own = Math.max(...rows.map((row) => visibleWidth(row[count]?.[0] ?? '')))
    if (count > 0 && own > room && count < columns - 1) break
    room -= own + 2
    count++
  }
  return rows.map((row) => row.slice(0, count))
}

const LEAST_COLUMN = 6
