import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Report, slugOf } from '../../bench/harness/report.ts'

const RESULTS = join(import.meta.dirname, '..', '..', 'bench', 'results')

type Row = Report['tables'][number]['rows'][number]

/** A committed result, by the bench (`speed/open`). */
export function reportOf(bench: string): Report {
  return JSON.parse(readFileSync(join(RESULTS, `${slugOf(bench)}.json`), 'utf8'))
}

/** Numbers of one table of a committed result, by the bench (`speed/open`) and the title. */
export class ResultTable {
  /** The day on which it was measured. */
  readonly date: string
  readonly title: string
  readonly #name: string
  readonly #table: Report['tables'][number]

  constructor(bench: string, title: RegExp) {
    const report = reportOf(bench)
    this.#name = `${bench}, ${title}`
    this.#table = theOne(report.tables, (table) => title.test(table.title), this.#name)
    this.date = this.#table.date ?? report.date
    this.title = this.#table.title
  }

  /** The number in a row and a column. A row is known by how it begins where none is called just that: versions change. */
  number(row: string, column: string): number {
    return this.cell(this.#row(row), column)
  }

  /** The same, if the cell has a number. */
  maybe(row: string, column: string): number | undefined {
    const cell = this.#row(row)[this.#table.columns.indexOf(column)]
    return typeof cell === 'number' ? cell : undefined
  }

  /** A cell that is text, such as an interval. */
  text(row: string, column: string): string {
    return String(this.#row(row)[this.#table.columns.indexOf(column)])
  }

  get rows(): readonly Row[] {
    return this.#table.rows
  }

  /** The number of a row in a column. */
  cell(row: Row, column: string): number {
    const cell = row[this.#table.columns.indexOf(column)]
    if (typeof cell !== 'number') throw new Error(`${this.#name}: no number for ${row[0]}, ${column}`)
    return cell
  }

  numbers(rows: readonly string[], column: string): number[] {
    return rows.map((row) => this.number(row, column))
  }

  #row(name: string): Row {
    const isCalled = this.rows.some(([cell]) => cell === name)
    const isRow = ([cell]: Row) => (isCalled ? cell === name : String(cell).startsWith(name))
    return theOne(this.rows, isRow, `${this.#name}, ${name}`)
  }
}

function theOne<T>(all: readonly T[], isWanted: (each: T) => boolean, what: string): T {
  const [found, ...others] = all.filter(isWanted)
  if (found === undefined || others.length > 0) throw new Error(`${what}: ${others.length + (found ? 1 : 0)} of them`)
  return found
}
