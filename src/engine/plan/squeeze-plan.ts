import type { Squeeze } from '../../model/entry.ts'
import { type Item, isUserMessage } from '../../model/view.ts'
import { type Estimator, messageTokens } from '../../tokens/estimate/estimator.ts'
import { type Sizes, tokensAt, tokensBetween } from '../../tokens/sizes.ts'
import { squeezeMessage } from '../context/view/rewrite-message.ts'
import { type Shareable, shareRoom } from './share-room.ts'
import { type Cut, type ShortPart, squeezeParts } from './squeeze-parts.ts'

export type SqueezePlan = { readonly squeezes: readonly Squeeze[]; readonly tokens: number }

/** The items that stay in the view: the tail, and the kept ones before it. */
export type VerbatimItems = {
  readonly sizes: Sizes
  readonly cut: number
  /** Where the tail ends; the unread stands behind it. */
  readonly end: number
  /** The places of the kept ones. */
  readonly kept: readonly number[]
}

/** True when nothing has to be squeezed. Most plans are such, so running totals answer it quickly. */
export function fitsWhole({ sizes, cut, end, kept }: VerbatimItems, room: number, userTokens: number): boolean {
  const { items } = sizes
  const tokens = kept.reduce((sum, index) => sum + tokensAt(sizes, index), tokensBetween(sizes, cut, end))
  if (tokens > room) return false
  for (let user = items.lastUser(end); user >= cut; user = items.lastUser(user)) {
    if (tokensAt(sizes, user) > userTokens) return false
  }
  return kept.every((index) => !isUserMessage(items.at(index)) || tokensAt(sizes, index) <= userTokens)
}

/** An item with its tokens. */
export type ItemSize = { readonly item: Item; readonly size: number }

/** The items of a range with their tokens. */
export function sizedItems(sizes: Sizes, from: number, to: number = sizes.items.length): ItemSize[] {
  return sizes.items.slice(from, to).map((item, i) => ({ item, size: tokensAt(sizes, from + i) }))
}

/**
 * Makes items fit into `room` tokens: the larger ones, and the larger results of one message, give first, all down to the
 * same size. User messages are shortened only above `userTokens`, unless nothing else helps. Returns undefined when even
 * the shortest forms do not fit.
 */
export function squeezePlan(
  items: readonly Item[],
  room: number,
  userTokens: number,
  estimator: Estimator,
): SqueezePlan | undefined {
  const sized = items.map((item) => ({ item, size: messageTokens(item.message, estimator) }))
  return squeezeSized(sized, room, userTokens, estimator)
}

/** The same of items that were counted. */
export function squeezeSized(
  sized: readonly ItemSize[],
  room: number,
  userTokens: number,
  estimator: Estimator,
): SqueezePlan | undefined {
  const tokens = sized.reduce((sum, { size }) => sum + size, 0)
  if (tokens <= room && sized.every(({ item, size }) => size <= userTokens || !isUserMessage(item))) {
    return { squeezes: [], tokens }
  }
  const all = sized.map((one) => ({ ...one, parts: squeezeParts(one.item, userTokens, estimator) }))
  const latest = sized.findLast(({ item }) => isUserMessage(item))?.item
  return sparing(isUserMessage) ?? sparing((item) => item === latest) ?? sparing(() => false)

  /** Spared items are limited by `userTokens` only; the others share the rest of the room. */
  function sparing(isSpared: (item: Item) => boolean): SqueezePlan | undefined {
    const spared = all
      .filter(({ item }) => isSpared(item))
      .flatMap((one) => shared([one], mostOf(one.parts)) ?? shortest(one, estimator))
    const left = room - tokensIn(spared)
    if (left < 0) return undefined
    const others = all.filter(({ item }) => !isSpared(item))
    const short = shared(others, left) ?? others.map((one) => shortest(one, estimator))
    return tokensIn(short) <= left ? planOf([...spared, ...short]) : undefined
  }
}

/** The tokens of items in their very shortest forms, except for those that stay whole. */
export function shortestTokens(
  items: readonly ItemSize[],
  staysWhole: (item: Item) => boolean,
  estimator: Estimator,
): number {
  return items.reduce((sum, one) => sum + (staysWhole(one.item) ? one.size : shortest(one, estimator).tokens), 0)
}

type SizedItem = ItemSize & { readonly parts: readonly Shareable<ShortPart>[] }
type ShortenedItem = { readonly squeeze?: Squeeze; readonly tokens: number }

/** The items with their parts sharing a room, if those fit. */
function shared(items: readonly SizedItem[], room: number): ShortenedItem[] | undefined {
  const forms = shareRoom(
    items.flatMap(({ parts }) => parts),
    room,
  )
  if (forms === undefined) return undefined
  let from = 0
  return items.map(({ item, parts }) => {
    const own = forms.slice(from, from + parts.length)
    from += parts.length
    const cuts = own.flatMap((form) => form?.cuts ?? [])
    const tokens = parts.reduce((sum, part, i) => sum + (own[i]?.tokens ?? part.size), 0)
    return cuts.length === 0 ? { tokens } : { squeeze: squeezeOf(item, cuts), tokens }
  })
}

/** One note instead of several, where a message has more than one text or file beside each other. */
function shortest({ item, size }: Pick<SizedItem, 'item' | 'size'>, estimator: Estimator): ShortenedItem {
  const squeeze = { target: item.seq, head: 0, tail: 0 }
  const tokens = messageTokens(squeezeMessage(item.message, item.seq, 0, 0), estimator)
  return tokens < size ? { squeeze, tokens } : { tokens: size }
}

function squeezeOf({ seq }: Item, cuts: readonly Cut[]): Squeeze {
  const head = cuts.reduce((sum, cut) => sum + cut.head, 0)
  const tail = cuts.reduce((sum, cut) => sum + cut.tail, 0)
  const pieces = cuts.flatMap(({ at, ...cut }) => (at === undefined ? [] : [{ at, ...cut }]))
  return pieces.length === 0 ? { target: seq, head, tail } : { target: seq, head, tail, pieces }
}

function mostOf(parts: readonly Shareable<ShortPart>[]): number {
  return parts.reduce((sum, { most }) => sum + most, 0)
}

function tokensIn(items: readonly ShortenedItem[]): number {
  return items.reduce((sum, { tokens }) => sum + tokens, 0)
}

function planOf(all: readonly ShortenedItem[]): SqueezePlan {
  return {
    squeezes: all.flatMap(({ squeeze }) => (squeeze === undefined ? [] : [squeeze])),
    tokens: tokensIn(all),
  }
}
