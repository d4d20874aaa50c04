import type { CutRule } from './cut-rule.ts'
import { openCallTotals } from './open-calls.ts'

/** A cut never separates a call from its result, parallel calls included. */
export const callsKeepTheirResults: CutRule = (view) => {
  const open = openCallTotals(view.items)
  return (index) => open[index] === 0
}
