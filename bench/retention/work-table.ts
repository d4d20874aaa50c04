import type { Table } from '../harness/bench.ts'
import { rounded } from './tables.ts'
import { type Count, MEASURES, measuresOf, type Work } from './work.ts'

/** A text that replaces a span, and the work in that span. */
export type WorkText = { readonly work: Work; readonly text: string }

/** Measures down, methods across: shares over all cuts together, sizes in the mean. */
export function workTable(
  title: string,
  by: readonly { readonly method: string; readonly texts: readonly WorkText[] }[],
): Table {
  const columns = by.map(({ texts }) => {
    const all = texts.map(({ work, text }) => measuresOf(work, text))
    const characters = sum(texts.map(({ text }) => text.length))
    const listed = characters - sum(texts.map(({ work, text }) => work.withoutLists([text]).join().length))
    return [
      texts.length,
      Math.round(characters / texts.length),
      percent({ part: listed, whole: characters }),
      ...MEASURES.map((measure) => percent(total(all.map((one) => one[measure])))),
      Math.round(sum(all.map((one) => one['precision of names'].whole)) / texts.length),
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
