import { displayWidth } from './terminal-text.ts'

/** Rows as aligned lines, two spaces between columns. */
export function columns(rows: readonly (readonly string[])[], align: readonly ('left' | 'right')[] = []): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => widthOf(row[column]))))
  return rows.map((row) =>
    row
      .map((cell, column) => padded(cell, widths[column] ?? 0, align[column] ?? 'left'))
      .join('  ')
      .trimEnd(),
  )
}

function padded(cell: string, width: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(cell)))
  return align === 'right' ? space + cell : cell + space
}

function widthOf(cell: string | undefined): number {
  return displayWidth(cell ?? '')
}
