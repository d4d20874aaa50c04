import type { CutRule } from './cut-rule.ts'

/** A tail never starts with a tool result, and never with a summary: what it covers is before it. */
export const tailStartsLegally: CutRule = (view) => (index) => {
  const first = view.items.at(index)
  return first === undefined || (first.kind === 'message' && first.message.role !== 'tool')
}
