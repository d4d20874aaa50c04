import type { CompactorReport, Figures } from '../run-eval.ts'
import { lastFigures } from './report-page.ts'

/** A limit that a figure must keep, as in `--min rules=1`. */
export type Gate = { readonly figure: string; readonly is: 'min' | 'max'; readonly value: number }

/** The gates that are broken, one line each. A figure that was not measured breaks a `min`, because nothing shows that it holds. */
export function brokenGates(report: CompactorReport, gates: readonly Gate[]): string[] {
  const figures: Figures = { ...lastFigures(report), cost: report.cost }
  const broken = gates.flatMap(({ figure, is, value }) => {
    const found = figures[figure]
    if (found === undefined) return is === 'min' ? [`${figure} was not measured, and must be at least ${value}`] : []
    if (is === 'min') return found >= value ? [] : [`${figure} is ${found}, and must be at least ${value}`]
    return found <= value ? [] : [`${figure} is ${found}, and must be at most ${value}`]
  })
  const failed = report.failures.length
  return failed === 0 || gates.length === 0
    ? broken
    : [...broken, `failed compactions: ${failed}, first: ${report.failures[0]?.why}`]
}
