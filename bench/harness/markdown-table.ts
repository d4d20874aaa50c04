import type { Cell, Table } from './bench.ts'

/** A table as Markdown; columns of numbers are aligned to the right. */
export function markdownTable({ columns, rows }: Table): string {
  const texts = rows.map((row) => columns.map((_, at) => cellText(row[at])))
  const widths = columns.map((column, at) => Math.max(3, column.length, ...texts.map((row) => row[at]?.length ?? 0)))
  const right = columns.map((_, at) => rows.some((row) => typeof row[at] === 'number'))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => (right[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0))).join(' | ')} |`
  const rule = widths.map((width, at) => (right[at] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)))
  return [line(columns.map(escaped)), line(rule), ...texts.map(line)].join('\n')
}

/** A number with three significant digits; a dash if nothing was measured. */
export function cellText(cell: Cell): string {
  if (cell === undefined) return '–'
  if (typeof cell === 'string') return escaped(cell)
  if (!Number.isFinite(cell)) return '–'
  if (Math.abs(cell) >= 100) return Math.round(cell).toLocaleString('en-US')
  return Number.isInteger(cell) ? String(cell) : String(Number(cell.toPrecision(3)))
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
