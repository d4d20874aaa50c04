import type { Items } from '../model/items.ts'
import { mapSteps, type Steps } from '../model/steps.ts'
import type { Fixed, Item, Message, Part } from '../model/types.ts'
import { Sequence } from '../model/values.ts'
import {
  countsAlike,
  type Estimator,
  type FixedCounts,
  type FixedTokens,
  fixedCounts,
  isCertain,
  messageTokens,
  partTokens,
  scaledCount,
  scaledFixed,
  scaleOf,
} from './estimate/estimator.ts'
import { featureEstimator } from './estimate/feature-estimator.ts'

/**
 * The sizes of the items of a view. Each message is read once: after one more message only that one is counted, and a
 * calibration changes sums, not counts.
 */
export type Sizes = {
  readonly estimator: Estimator
  /** The counted items. */
  readonly items: Items
  /** The count of each item, before the estimator's scale. */
  readonly counts: Sequence<Count>
  /** The tokens of the first n items, for each n. */
  readonly totals: Sequence<number>
  /** The part of `totals` that providers count in their own way or, for reasoning of earlier turns, not at all. */
  readonly uncertain: Sequence<number>
  /** The same by the estimator that judges reports, if that is another one. */
  readonly judge?: Sizes
}

/** The counts of a message: the tokens of its only text, or those of each text and of the parts that are not text. */
export type Count = number | PartCounts

type PartCounts = {
  readonly texts: readonly number[]
  readonly others: number
  readonly uncertainTexts: readonly number[]
  readonly uncertainOthers: number
}

/** The counts of messages that were counted before. */
type KnownCounts = ReadonlyMap<Message, Count>

/** The sizes of items, all counted now. */
export function sizesOf(items: Items, estimator: Estimator): Sizes {
  return measured(items, estimator, undefined)
}

/** The sizes of the same or of other items, some of which were counted before. */
export function sizesAgain(before: Sizes, items: Items, estimator: Estimator): Sizes {
  const isAlike = countsAlike(before.estimator, estimator)
  if (isAlike && before.items === items) return before
  const fresh = isAlike ? items.behind(before.items) : undefined
  return fresh === undefined ? measured(items, estimator, before) : grown(before, items, fresh)
}

/** The tokens of items `from` to `to`. */
export function tokensBetween({ totals }: Sizes, from: number, to: number): number {
  return (totals.at(to) ?? 0) - (totals.at(from) ?? 0)
}

/** The tokens of one item. */
export function tokensAt(sizes: Sizes, index: number): number {
  return index < 0 ? 0 : tokensBetween(sizes, index, index + 1)
}

/** The tokens of one item before the estimator's scale: what a provider reported changes nothing about it. */
export function unscaledTokensAt({ counts }: Sizes, index: number): number {
  return tokensOf(counts.at(index) ?? 0, 100)
}

/** The tokens of items `from` to `to` that every provider counts: their text. */
export function certainTokens(sizes: Sizes, from: number, to: number): number {
  const { uncertain } = sizes
  return tokensBetween(sizes, from, to) - ((uncertain.at(to) ?? 0) - (uncertain.at(from) ?? 0))
}

/** The tokens among the first `count` items that the provider no longer reads, because they are before its own compaction. */
export function hiddenTokens(sizes: Sizes, count: number): number {
  return tokensBetween(sizes, 0, sizes.items.hidden(count))
}

/** The tokens of the first items by the estimator that no policy changes; undefined if it has not counted them. */
export function featureTokens(sizes: Sizes, count: number): number | undefined {
  const counted = countedBy(sizes, featureEstimator)
  if (counted === undefined) return undefined
  let tokens = 0
  for (const one of counted.counts.slice(0, count)) tokens += tokensOf(one, 100)
  return tokens
}

/** The sizes by the estimator that judges the provider's reports. */
export function judgeOf(sizes: Sizes): Sizes {
  return sizes.judge ?? sizes
}

/**
 * Counts messages by an estimator without a scale. The counts of the items are known; they are looked up when the function is
 * first called.
 */
export function tokensKnown(sizes: Sizes): (message: Message, estimator: Estimator) => number {
  const lookUps = new Map<Estimator, (message: Message) => Count | undefined>()
  return (message, estimator) => {
    let lookUp = lookUps.get(estimator)
    if (lookUp === undefined) {
      const counted = countedBy(sizes, estimator)
      lookUp = counted === undefined ? () => undefined : countsInOrder(counted)
      lookUps.set(estimator, lookUp)
    }
    const count = lookUp(message)
    return count === undefined ? messageTokens(message, estimator) : tokensOf(count, 100)
  }
}

/** Looks counts up. Messages are mostly asked for in the order of their items, so all items are searched only for others. */
function countsInOrder({ items, counts }: Sizes): (message: Message) => Count | undefined {
  let next = 0
  let places: ReadonlyMap<Message, number> | undefined
  return (message) => {
    if (items.at(next)?.message !== message) {
      places ??= new Map(items.slice().map((item, at) => [item.message, at]))
      const at = places.get(message)
      if (at === undefined) return undefined
      next = at
    }
    return counts.at(next++)
  }
}

/** The same if only the last item is known. */
export function lastTokensKnown(sizes: Sizes): (message: Message, estimator: Estimator) => number {
  return (message, estimator) => {
    const counted = countedBy(sizes, estimator)
    const count = sizes.items.at(sizes.items.length - 1)?.message === message ? counted?.counts.last : undefined
    return count === undefined ? messageTokens(message, estimator) : tokensOf(count, 100)
  }
}

/** The sizes by this estimator, in any scale: they may be those of the judge. */
function countedBy(sizes: Sizes | undefined, estimator: Estimator): Sizes | undefined {
  return [sizes, sizes?.judge].find((one) => one !== undefined && scaleOf(one.estimator).of === estimator)
}

/** Counts in steps: a long list takes a while. */
export function* sizesSteps(items: Items, estimator: Estimator): Steps<Sizes> {
  const { of } = scaleOf(estimator)
  const count = countMessage(of)
  const counts = Sequence.of(yield* mapSteps(items.slice(), ({ message }) => count(message)))
  const counted = { ...totalsOf(counts.slice(), of), estimator: of, items, counts }
  const judge = estimator.judge && (yield* sizesSteps(items, estimator.judge))
  return measured(items, estimator, { ...counted, ...(judge === undefined ? {} : { judge }) })
}

function measured(items: Items, estimator: Estimator, before: Sizes | undefined): Sizes {
  const { of } = scaleOf(estimator)
  const known = countedBy(before, of)
  const counts = known?.items === items ? known.counts : Sequence.of(countsOf(items, of, known))
  return {
    ...totalsOf(counts.slice(), estimator),
    estimator,
    items,
    counts,
    ...(estimator.judge === undefined ? {} : { judge: measured(items, estimator.judge, before) }),
  }
}

function countsOf(items: Items, estimator: Estimator, before: Sizes | undefined): Count[] {
  const count = countMessage(estimator)
  const all = items.slice()
  if (before === undefined) return all.map(({ message }) => count(message))
  // After a compaction most of the remaining items are the end of the earlier list.
  const same = commonEnd(all, before.items)
  const rest = all.slice(0, all.length - same)
  const known = rest.length > A_FEW ? countsByMessage(before) : undefined
  const countOf = (message: Message) => (known === undefined ? countIn(before, message) : known.get(message))
  return [
    ...rest.map(({ message }) => countOf(message) ?? count(message)),
    ...before.counts.slice(before.items.length - same),
  ]
}

const A_FEW = 8

/** The number of equal messages at the end of two lists. */
function commonEnd(items: readonly Item[], others: Items): number {
  const most = Math.min(items.length, others.length)
  let same = 0
  while (same < most && items[items.length - 1 - same]?.message === others.at(others.length - 1 - same)?.message) same++
  return same
}

function countIn({ items, counts }: Sizes, message: Message): Count | undefined {
  for (let at = items.length - 1; at >= 0; at--) if (items.at(at)?.message === message) return counts.at(at)
  return undefined
}

function countsByMessage({ items, counts }: Sizes): KnownCounts {
  const known = new Map<Message, Count>()
  for (const [at, { message }] of items.slice().entries()) known.set(message, counts.at(at) ?? 0)
  return known
}

function totalsOf(counts: readonly Count[], estimator: Estimator): Pick<Sizes, 'totals' | 'uncertain'> {
  const { percent } = scaleOf(estimator)
  const totals = [0]
  const uncertain = [0]
  let total = 0
  let unsure = 0
  for (const count of counts) {
    total += tokensOf(count, percent)
    unsure += uncertainOf(count, percent)
    totals.push(total)
    uncertain.push(unsure)
  }
  return { totals: Sequence.of(totals), uncertain: Sequence.of(uncertain) }
}

function grown(before: Sizes, items: Items, fresh: readonly Item[]): Sizes {
  const { of, percent } = scaleOf(before.estimator)
  const count = countMessage(of)
  let { counts, totals, uncertain } = before
  for (const { message } of fresh) {
    const next = count(message)
    counts = counts.append(next)
    totals = totals.append((totals.last ?? 0) + tokensOf(next, percent))
    uncertain = uncertain.append((uncertain.last ?? 0) + uncertainOf(next, percent))
  }
  const judge = before.judge && grown(before.judge, items, fresh)
  return { estimator: before.estimator, items, counts, totals, uncertain, ...(judge === undefined ? {} : { judge }) }
}

/** The tokens of a count in an estimator's scale. */
export function tokensOf(count: Count, percent: number): number {
  return typeof count === 'number' ? scaledCount(count, percent) : scaledSum(count.texts, percent) + count.others
}

/** The part of them that providers count in their own way or, for reasoning of earlier turns, not at all. */
export function uncertainOf(count: Count, percent: number): number {
  return typeof count === 'number' ? 0 : scaledSum(count.uncertainTexts, percent) + count.uncertainOthers
}

function scaledSum(texts: readonly number[], percent: number): number {
  let sum = 0
  for (const tokens of texts) sum += scaledCount(tokens, percent)
  return sum
}

/** Returns a function that counts messages and records the counts of each. */
export function countMessage(estimator: Estimator): (message: Message) => Count {
  let texts: number[] = []
  const noting: Estimator = {
    name: estimator.name,
    text: (text) => {
      const tokens = estimator.text(text)
      texts.push(tokens)
      return tokens
    },
  }
  return (message) => {
    const { content } = message
    const known = estimator.known?.get(message)
    if (typeof content === 'string')
      return known === undefined
        ? estimator.text(content)
        : { texts: [], others: known, uncertainTexts: [], uncertainOthers: 0 }
    // Most messages are one text, or several: they need nothing but the counts of their texts.
    if (known === undefined && content.every(isOneText)) {
      const [only] = content
      if (only !== undefined && content.length === 1) return partTokens(only, estimator)
      return { ...NO_PARTS, texts: content.map((part) => partTokens(part, estimator)) }
    }
    const certain = { texts: [] as number[], others: 0 }
    const unsure = { texts: [] as number[], others: 0 }
    for (const part of content) {
      const isSure = isCertain(part)
      if (known !== undefined && isSure) continue
      const sum = isSure ? certain : unsure
      texts = sum.texts
      const before = texts.length
      sum.others += partTokens(part, noting)
      for (let i = before; i < texts.length; i++) sum.others -= texts[i] ?? 0
    }
    const uncertain = { uncertainTexts: unsure.texts, uncertainOthers: unsure.others }
    if (known !== undefined) return { texts: [], others: known, ...uncertain }
    if (unsure.texts.length === 0 && unsure.others === 0 && certain.others === 0 && certain.texts.length === 1)
      return certain.texts[0] ?? 0
    return { texts: [...certain.texts, ...unsure.texts], others: certain.others + unsure.others, ...uncertain }
  }
}

const NO_PARTS: PartCounts = { texts: [], others: 0, uncertainTexts: [], uncertainOthers: 0 }

/** True for a part that is counted by one text, which every provider counts. */
function isOneText(part: Part): boolean {
  return (
    part.type === 'text' || part.type === 'tool-call' || (part.type === 'tool-result' && part.output.type !== 'content')
  )
}

/** The items after the last answer of the model. `from` is the index of the first one, or the view's length if there is none. */
export type Unread = { readonly from: number; readonly tokens: number }

/** The unread of a view: the items that the model has not answered yet, and the pending input. */
export function unreadOf(sizes: Sizes, pendingTokens = 0): Unread {
  const { items } = sizes
  const from = items.unread()
  return { from, tokens: tokensBetween(sizes, from, items.length) + pendingTokens }
}

/** The tokens of the fixed parts of a request, by the estimator and by the one that judges reports. Each part is read once. */
export type FixedSizes = {
  readonly fixed: Fixed
  readonly own: FixedTokens
  readonly judge: FixedTokens
  /** The counts before the estimator's scale. */
  readonly counts: FixedCounts
  readonly estimator: Estimator
  /** No tools are known, or not those that the provider has counted: its count may have those of another agent, and its prompt. */
  readonly isPartial: boolean
}

/** The sizes of fixed parts. `before`: earlier sizes, which are reused if the parts are the same. */
export function measureFixed(fixed: Fixed, estimator: Estimator, before?: FixedSizes): FixedSizes {
  const { of, percent } = scaleOf(estimator)
  const known = before !== undefined && scaleOf(before.estimator).of === of && isSame(before.fixed, fixed)
  const counts = known ? before.counts : fixedCounts(fixed, of)
  const own = scaledFixed(counts, percent)
  const { judge } = estimator
  const judged = judge === undefined ? own : known ? before.judge : scaledFixed(fixedCounts(fixed, judge), 100)
  const isPartial = fixed.isOfOther === true || (counts.tools.length === 0 && counts.unseen === undefined)
  return { fixed, own, judge: judged, counts, estimator, isPartial }
}

function isSame(a: Fixed, b: Fixed): boolean {
  const [tools = [], others = []] = [a.tools, b.tools]
  const isSameTools = tools.length === others.length && tools.every((tool, i) => tool === others[i])
  const isSameText = a.system === b.system && a.instructions === b.instructions && a.memory === b.memory
  return isSameTools && isSameText && a.unseenTokens === b.unseenTokens
}
