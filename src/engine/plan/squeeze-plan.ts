import type { Squeeze } from '../../model/entry.ts'
import type { Message } from '../../model/message.ts'
import type { Sequence } from '../../model/values/sequence.ts'
import { type Item, isUserMessage } from '../../model/view.ts'
import { itemTokens, tokenTotals } from '../../tokens/count.ts'
import { type Estimator, messageTokens } from '../../tokens/estimate/estimator.ts'
import { squeezeMessage } from '../view/rewrite-message.ts'
import { lastUserIndex } from './user-index.ts'

export type SqueezePlan = { readonly squeezes: readonly Squeeze[]; readonly tokens: number }

/** The items that stay in the view: the tail, and the kept ones before it. */
export type VerbatimItems = {
  readonly items: Sequence<Item>
  readonly cut: number
  /** Where the tail ends; the unread stands behind it. */
  readonly end: number
  readonly kept: readonly Item[]
}

/** True when nothing has to be squeezed. Most plans are such, so running totals answer it quickly. */
export function fitsWhole(
  { items, cut, end, kept }: VerbatimItems,
  room: number,
  userTokens: number,
  estimator: Estimator,
): boolean {
  const totals = tokenTotals(items, estimator)
  const tokens = kept.reduce(
    (sum, { message }) => sum + messageTokens(message, estimator),
    itemTokens(items, cut, end, estimator),
  )
  if (tokens > room) return false
  for (let user = lastUserIndex(items, end); user >= cut; user = lastUserIndex(items, user)) {
    if ((totals[user + 1] ?? 0) - (totals[user] ?? 0) > userTokens) return false
  }
  return kept.every((item) => !isUserMessage(item) || messageTokens(item.message, estimator) <= userTokens)
}

/**
 * Makes items fit into `room` tokens by shortening the largest ones, all down to the same size. User messages are
 * shortened only above `userTokens`, unless nothing else helps. Returns undefined when even the shortest forms do not fit.
 */
export function squeezePlan(
  items: readonly Item[],
  room: number,
  userTokens: number,
  estimator: Estimator,
): SqueezePlan | undefined {
  const sized = items.map((item) => ({ item, size: messageTokens(item.message, estimator) }))
  const tokens = sized.reduce((sum, { size }) => sum + size, 0)
  if (tokens <= room && sized.every(({ item, size }) => size <= userTokens || !isUserMessage(item))) {
    return { squeezes: [], tokens }
  }
  const latest = items.findLast(isUserMessage)
  return sparing(isUserMessage) ?? sparing((item) => item === latest) ?? sparing(() => false)

  /** Spared items are limited by `userTokens` only; the others share the rest of the room. */
  function sparing(isSpared: (item: Item) => boolean): SqueezePlan | undefined {
    const spared = sized.filter(({ item }) => isSpared(item)).map(({ item, size }) => shortened(item, size, userTokens))
    const left = room - spared.reduce((sum, one) => sum + one.tokens, 0)
    return levelled(
      sized.filter(({ item }) => !isSpared(item)),
      left,
      spared,
    )
  }

  function levelled(large: typeof sized, left: number, spared: readonly ShortenedItem[]): SqueezePlan | undefined {
    if (left < 0) return undefined
    const first = levelFor(
      large.map(({ size }) => size),
      left,
    )
    // A squeezed item has a note in it and cannot be arbitrarily short, so the level goes down until all items fit.
    for (let level = first; level >= 1; level = Math.floor(level * 0.8)) {
      const all = large.map(({ item, size }) =>
        shortened(item, size, isUserMessage(item) ? Math.min(level, userTokens) : level),
      )
      if (all.reduce((sum, one) => sum + one.tokens, 0) <= left) return planOf([...spared, ...all])
    }
    return undefined
  }

  function shortened(item: Item, size: number, limit: number): ShortenedItem {
    return size <= limit ? { tokens: size } : squeezeTo(item, limit, estimator)
  }
}

type ShortenedItem = { readonly squeeze?: Squeeze; readonly tokens: number }

function planOf(all: readonly ShortenedItem[]): SqueezePlan {
  return {
    squeezes: all.flatMap(({ squeeze }) => (squeeze === undefined ? [] : [squeeze])),
    tokens: all.reduce((sum, one) => sum + one.tokens, 0),
  }
}

/** The size above which items are shortened so that all fit. Small items leave their unused share to the large ones. */
function levelFor(sizes: readonly number[], room: number): number {
  const ascending = sizes.toSorted((a, b) => a - b)
  let left = room
  for (const [i, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - i))
    if (size > share) return share
    left -= size
  }
  return Math.max(1, ascending.at(-1) ?? 1)
}

/** So near to its limit a squeezed item is large enough. */
const NEAR = 0.97
/** Each try counts the shortened text. Its size is nearly proportional to its characters, so few are needed. */
const MOST_TRIES = 8

/** The squeeze that leaves the most of an item within these tokens; its shortest form if none is within them. */
function squeezeTo(item: Item, tokens: number, estimator: Estimator): ShortenedItem {
  let fitting: ShortenedItem | undefined
  let low = 0
  let high = charactersOf(item.message)
  // From the text's own density.
  let characters = Math.floor((high / Math.max(1, messageTokens(item.message, estimator))) * tokens * NEAR)
  for (let tries = 1; tries <= MOST_TRIES && low < characters; tries++) {
    const tried = squeezedTo(item, characters, estimator)
    if (tried.tokens > tokens) high = characters
    else {
      if (tried.tokens >= tokens * NEAR) return tried
      fitting = tried
      low = characters
    }
    const guess = Math.floor((characters * tokens * (1 + NEAR)) / 2 / Math.max(1, tried.tokens))
    characters = guess > low && guess < high ? guess : Math.floor((low + high) / 2)
  }
  return fitting ?? squeezedTo(item, 0, estimator)
}

function squeezedTo(item: Item, characters: number, estimator: Estimator): ShortenedItem {
  const squeeze = { target: item.seq, head: Math.ceil(characters * 0.6), tail: Math.floor(characters * 0.4) }
  const short = squeezeMessage(item.message, item.seq, squeeze.head, squeeze.tail)
  return { squeeze, tokens: messageTokens(short, estimator) }
}

function charactersOf(message: Message): number {
  return JSON.stringify(message.content).length
}
