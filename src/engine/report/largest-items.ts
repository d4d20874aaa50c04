import type { Seq } from '../../model/ids.ts'
import { tokensAt } from '../../tokens/sizes.ts'
import type { Context } from '../context/context.ts'
import { itemName } from './item-names.ts'

/** An item of a view by its name, and how large it is. */
export type LargeItem = { readonly seq: Seq; readonly name: string; readonly tokens: number }

/** The largest items of a view, the largest first. */
export function largestItems({ sizes }: Pick<Context, 'sizes'>, count: number, nameCharacters?: number): LargeItem[] {
  const items = sizes.items.slice()
  return items
    .map(({ seq }, index) => ({ seq, index, tokens: tokensAt(sizes, index) }))
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, count)
    .map(({ seq, index, tokens }) => ({ seq, name: itemName(items, index, nameCharacters), tokens }))
}
