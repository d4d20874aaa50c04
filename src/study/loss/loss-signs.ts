import { typedIn } from '../../engine/extract/text/typed-words.ts'
import { openFailures } from '../../engine/record/sections/stand.ts'
import type { LossReason } from '../../engine/report/loss-text.ts'
import type { Seq } from '../../model/ids.ts'
import { firstLooks, lookKey, looksOf, namesWritten, recalledEntries } from './later-use.ts'
import type { SpanFacts } from './span-facts.ts'

type Sign = readonly [Seq, LossReason]

/** All reasons by the message that they are about. */
export function lossReasons(facts: SpanFacts): ReadonlyMap<Seq, readonly LossReason[]> {
  const reasons = new Map<Seq, LossReason[]>()
  for (const sign of SIGNS) {
    for (const [seq, reason] of sign(facts)) reasons.set(seq, [...(reasons.get(seq) ?? []), reason])
  }
  return reasons
}

/** One kind of reason each. */
const SIGNS: readonly ((facts: SpanFacts) => readonly Sign[])[] = [
  demands,
  usersWords,
  recalled,
  usedLater,
  failures,
  changes,
  looks,
  answers,
  namesOnlyHere,
]

function demands({ known: { index }, shown }: SpanFacts): Sign[] {
  const lost = index.constraints.filter(({ text }) => shown.has(text) === 'nothing')
  return [...new Set(lost.map(({ seq }) => seq))].map((seq) => [seq, { kind: 'demand' }])
}

/** What a program wrote in the user's role is nothing that the user said. */
function usersWords({ gone, shown }: SpanFacts): Sign[] {
  return gone.flatMap(({ item }): Sign[] => {
    const typed = typedIn(item)
    const has = typed.trim() === '' ? 'all' : shown.has(typed)
    const missing = has === 'beginning' ? 'rest' : 'all'
    return has === 'all' ? [] : [[item.seq, { kind: 'user', missing, characters: typed.length }]]
  })
}

function recalled({ after }: SpanFacts): Sign[] {
  return [...recalledEntries(after)].map(([seq, by]) => [seq, { kind: 'recalled', by }])
}

/**
 * A name counts for the newest message that has it: an older one would have to be put back for nothing. One that many
 * messages have, such as JSON.stringify, tells of none of them.
 */
function usedLater({ gone, after, shown }: SpanFacts): Sign[] {
  const times = new Map<string, number>()
  for (const { names } of gone) for (const name of names) times.set(name, (times.get(name) ?? 0) + 1)
  const most = Math.max(FEW_MESSAGES, gone.length * FEW_SHARE)
  const later = namesWritten(after)
  for (const name of later.keys()) if (shown.hasName(name) || (times.get(name) ?? 0) > most) later.delete(name)
  return gone.toReversed().flatMap(({ item, names }): Sign[] => {
    const used = names.filter((name) => later.has(name))
    const by = Math.min(...used.map((name) => later.get(name) ?? 0))
    for (const name of used) later.delete(name)
    return used.length === 0 ? [] : [[item.seq, { kind: 'used', names: used, by }]]
  })
}

const FEW_MESSAGES = 3
const FEW_SHARE = 0.05

function failures({ known, shown }: SpanFacts): Sign[] {
  return openFailures(known.failures)
    .filter(({ text }) => shown.has(text) === 'nothing')
    .map(({ seq }) => [seq, { kind: 'failure' }])
}

function changes({ known, answered }: SpanFacts): Sign[] {
  const callOf = new Map(answered.map(({ item, seq }) => [item.seq, seq]))
  return known.ledger.files
    .filter(({ state }) => state === 'created' || state === 'edited')
    .map(({ path, seq, standing }) => [
      callOf.get(seq) ?? seq,
      { kind: 'change', path, isCommitted: standing === 'committed' || standing === 'unchanged' },
    ])
}

/** Files that were read and commands that were run: the newest of each, and those that a later one has replaced. */
function looks({ answered, after, known: { index } }: SpanFacts): Sign[] {
  const newest = new Map<string, Seq>()
  for (const { call, item } of answered) for (const look of looksOf(call)) newest.set(lookKey(look), item.seq)
  const changed = new Map(index.files.map(({ path, modified = 0 }) => [path, modified]))
  const later = firstLooks(after)
  return answered.flatMap(({ call, item: { seq } }) =>
    looksOf(call).flatMap((look): Sign[] => {
      const { how, what } = look
      const by = Math.max(newest.get(lookKey(look)) ?? 0, how === 'read' ? (changed.get(what) ?? 0) : 0)
      if (by > seq) return [[seq, { kind: 'outdated', by }]]
      const again = later.get(lookKey(look))
      if (again !== undefined) return [[seq, { kind: 'again', how, by: again }]]
      return how === 'read' ? [[seq, { kind: 'newest', path: what }]] : []
    }),
  )
}

/** What the agent said, where the record does not quote it. */
function answers({ gone, shown, turns }: SpanFacts): Sign[] {
  return gone.flatMap(({ item, words }, i): Sign[] => {
    if (item.message.role !== 'assistant' || words.trim() === '' || shown.has(words) !== 'nothing') return []
    const next = gone[i + 1]?.item
    const isLast = next === undefined || turns.has(next.seq)
    return [[item.seq, { kind: 'answer', isLast }]]
  })
}

function namesOnlyHere({ gone }: SpanFacts): Sign[] {
  return gone.flatMap(({ item, names }): Sign[] =>
    names.length === 0 ? [] : [[item.seq, { kind: 'names', names: names.slice(0, NAMED), count: names.length }]],
  )
}

const NAMED = 4
