import { partsOf } from '../../model/message.ts'
import type { CutRule } from './cut-rule.ts'

/** Reasoning that is stored apart from the text or call it belongs to is never left alone before a cut. */
export const reasoningStaysWithItsStep: CutRule = (view) => (index) => {
  const before = view.items.at(index - 1)?.message
  const after = view.items.at(index)?.message
  if (before?.role !== 'assistant' || after?.role !== 'assistant') return true
  return partsOf(before).at(-1)?.type !== 'reasoning'
}
