import type { Table } from '../harness/bench.ts'
import { withoutNameLists } from './name-lists.ts'
import { rounded } from './tables.ts'
import { type Count, MEASURES, toldOf, type Work } from './work.ts'

/** A text that stands for a span, and what it is asked. */
export type ToldBy = { readonly work: Work; readonly text: string }

/** Measures down, methods across: shares over all cuts together, sizes in the mean. */
export function toldTable(
  title: string,
  by: readonly { readonly method: string; readonly told: readonly ToldBy[] }[],
): Table {
  const columns = by.map(({ told }) => {
    const all = told.map(({ work, text }) => toldOf(work, text))
    const characters = sum(told.map(({ text }) => text.length))
    const listed = characters - sum(told.map(({ text }) => withoutNameLists(text).length))
    return [
      told.length,
      Math.round(characters / told.length),
      percent({ part: listed, whole: characters }),
      ...MEASURES.map((measure) => percent(total(all.map((one) => one[measure])))),
      Math.round(sum(all.map((one) => one['precision of names'].whole)) / told.length),
    ]
  })
  const rows = ['cuts', 'characters', 'characters in lists of names', ...MEASURES, 'names']
  return {
    title,
    columns: ['', ...by.map(({ method }) => method)],
    rows: rows.map((name, at) => [name, ...columns.map((cells) => cells[at])]),
  }
}

function total(counts: readonly Count[]): Count {
  return { part: sum(counts.map(({ part }) => part)), whole: sum(counts.map(({ whole }) => whole)) }
}

function percent({ part, whole }: Count): number | undefined {
  return whole === 0 ? undefined : rounded((100 * part) / whole)
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}
