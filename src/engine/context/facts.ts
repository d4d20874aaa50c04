import type { Items } from '../../model/items.ts'
import type { Message } from '../../model/types.ts'
import { Sequence } from '../../model/values.ts'
import { type AnsweredCall, answeredCalls } from '../extract/answered-calls.ts'
import { type ItemFacts, itemFacts } from '../extract/item-facts.ts'

/** The facts of the items of a view, found one by one when they are first needed; `found.length` of them so far. */
export type ViewFacts = {
  readonly items: Items
  readonly found: Sequence<ItemFacts | undefined>
  /** The calls among them that have no result yet. */
  readonly open: ReadonlyMap<string, Pick<AnsweredCall, 'call' | 'seq'>>
}

/** `names`: also find the names in calls and results. A compaction needs only the newest, so this is done when nobody is waiting. */
export type FactOptions = { readonly names: boolean }

/** The facts of the first `count` items of a view. Facts that are known, also from an earlier view, are not searched again. */
export function factsUpTo(facts: ViewFacts, items: Items, count: number, options: FactOptions): ViewFacts {
  const isExtended = items.behind(facts.items) !== undefined
  if (isExtended && facts.found.length >= count) return { ...facts, items }
  const known = isExtended ? undefined : byMessage(facts)
  const open = new Map(isExtended ? facts.open : [])
  let found = isExtended ? facts.found : Sequence.of<ItemFacts | undefined>()
  for (const item of items.slice(found.length, count)) {
    const before = known?.get(item.message)
    if (before === undefined || before.item.seq !== item.seq) found = found.append(itemFacts(item, open, options))
    else {
      answeredCalls(item, open)
      found = found.append(before)
    }
  }
  return { items, found, open }
}

function byMessage({ found }: ViewFacts): ReadonlyMap<Message, ItemFacts> {
  const known = new Map<Message, ItemFacts>()
  for (const facts of found.slice()) if (facts !== undefined) known.set(facts.item.message, facts)
  return known
}
