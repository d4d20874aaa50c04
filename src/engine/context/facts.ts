import type { Items } from '../../model/items.ts'
import type { Message } from '../../model/message/message.ts'
import { Sequence } from '../../model/values/sequence.ts'
import { type AnsweredCall, answeredCalls } from '../extract/answered-calls.ts'
import { type ItemFacts, itemFacts } from '../extract/item-facts.ts'

/** The facts of the items of a view, found one by one when they are first needed: `found.length` of them so far. */
export type ViewFacts = {
  readonly items: Items
  readonly found: Sequence<ItemFacts | undefined>
  /** The calls among them that have no result yet. */
  readonly open: ReadonlyMap<string, Pick<AnsweredCall, 'call' | 'seq'>>
}

/** `names`: those in calls and results, too. A compaction looks for the newest ones only, so that this takes time that nobody waits for. */
export type FactOptions = { readonly names: boolean }

/** The facts of the first `count` items of a view. What was found before, also in a view before a change, is not looked for again. */
export function factsUpTo(facts: ViewFacts, items: Items, count: number, options: FactOptions): ViewFacts {
  const goesOn = items.behind(facts.items) !== undefined
  if (goesOn && facts.found.length >= count) return { ...facts, items }
  const known = goesOn ? undefined : byMessage(facts)
  const open = new Map(goesOn ? facts.open : [])
  let found = goesOn ? facts.found : Sequence.of<ItemFacts | undefined>()
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
