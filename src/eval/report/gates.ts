import type { CompactorReport } from '../run-eval.ts'

/** A limit that a figure must keep after every compaction, as in `--min rules=1`. */
export type Gate = { readonly figure: string; readonly is: 'min' | 'max'; readonly value: number }

/** The gates that are broken, one line each with the first round that breaks it. A figure that was never measured breaks a `min`: nothing shows that it holds. */
export function brokenGates({ headline, rounds, failures }: CompactorReport, gates: readonly Gate[]): string[] {
  const broken = gates.flatMap(({ figure, is, value }) => {
    const limit = `and must be at ${is === 'min' ? 'least' : 'most'} ${value}`
    const found = rounds.flatMap(({ round, figures, parts }) => {
      const measured = figure === 'headline' ? headline?.mean : (figures[figure] ?? parts[figure])
      return measured === undefined ? [] : [{ round, measured }]
    })
    if (found.length === 0) return is === 'min' ? [`${figure} was not measured, ${limit}`] : []
    const first = found.find(({ measured }) => (is === 'min' ? measured < value : measured > value))
    const when = figure === 'headline' ? '' : ` after compaction ${first?.round}`
    return first === undefined ? [] : [`${figure} is ${Number(first.measured.toFixed(4))}${when}, ${limit}`]
  })
  // A headline of contexts that nobody could send is worth nothing.
  const unfit = (['valid', 'fits'] as const).filter((name) =>
    rounds.some(({ passes }) => passes[name].startsWith('fail')),
  )
  if (unfit.length > 0 && gates.some(({ figure }) => figure === 'headline'))
    broken.push(`headline does not count: its contexts fail ${unfit.join(' and ')}`)
  return failures.length === 0 || gates.length === 0
    ? broken
    : [...broken, `failed compactions: ${failures.length}, first: ${failures[0]?.why}`]
}
