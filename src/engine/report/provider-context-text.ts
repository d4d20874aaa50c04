import type { ProviderReduction } from '../../model/types.ts'
import { count } from './numbers.ts'

/** The reductions of the context that the provider made by itself, in one line; undefined if there are none. */
export function providerReductionText(reduced: readonly ProviderReduction[] | undefined): string | undefined {
  if (reduced === undefined || reduced.length === 0) return undefined
  return reduced.map(reductionText).join(', ')
}

function reductionText({ what, count: many, tokens }: ProviderReduction): string {
  const size = tokens === undefined ? '' : ` (${count(tokens)} tokens)`
  if (what === 'compacted') return `the provider compacted it${size}`
  return `the provider cleared ${many === undefined ? '' : `${count(many)} `}${what}${size}`
}

/** The line about messages that only the provider has. */
export function beforeLogText(id: string): string {
  return `The beginning is at the provider, as ${id}: the agent sent only what came after it`
}
