import { type Item, isUserMessage, type Squeeze, type SqueezedPiece } from '../../model/types.ts'
import { type Estimator, IMAGE_TOKENS, messageTokens } from '../../tokens/estimate/estimator.ts'
import { type Sizes, tokensAt, tokensBetween } from '../../tokens/sizes.ts'
import { type Piece, piecesOf, squeezeMessage, squeezePiece } from '../context/view/rewrite-message.ts'
import { type Shareable, shareRoom } from './share-room.ts'

export type SqueezePlan = { readonly squeezes: readonly Squeeze[]; readonly tokens: number }

/** The items that stay in the view: the tail, and the kept ones before it. */
export type VerbatimItems = {
  readonly sizes: Sizes
  readonly cut: number
  /** The index at which the tail ends; the unread comes after it. */
  readonly end: number
  /** The indexes of the kept ones. */
  readonly kept: readonly number[]
}

/** True if nothing has to be squeezed. That is the usual case, so it is answered quickly from running totals. */
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
 * Makes items fit into `room` tokens: the larger ones, and the larger results of one message, shrink first, all down to the
 * same size. User messages are shortened only above `userTokens`, unless nothing else helps. Returns undefined if even
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

/** The same for items that are counted already. */
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
      .flatMap(
        (one) =>
          shared(
            [one],
            sumOf(one.parts, ({ most }) => most),
          ) ?? shortest(one, estimator),
      )
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

/** The items with their parts sharing a room, if they fit. */
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

/** The shortest form has one note instead of several if a message has more than one text or file. */
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

function tokensIn(items: readonly ShortenedItem[]): number {
  return sumOf(items, ({ tokens }) => tokens)
}

function sumOf<T>(list: readonly T[], size: (one: T) => number): number {
  return list.reduce((sum, one) => sum + size(one), 0)
}

function planOf(all: readonly ShortenedItem[]): SqueezePlan {
  return {
    squeezes: all.flatMap(({ squeeze }) => (squeeze === undefined ? [] : [squeeze])),
    tokens: tokensIn(all),
  }
}

/** The short form of a part of an item: cuts of its pieces, or one cut without a place for all texts of the message. */
type ShortPart = { readonly cuts: readonly Cut[]; readonly tokens: number }
type Cut = Omit<SqueezedPiece, 'at'> & { readonly at?: number }

/**
 * The parts of an item that share a room with those of other items. Each text and file of tool results is a part. A message of
 * the user is one part, with at most `userTokens`; so is an answer, whose texts and arguments are shortened alike.
 */
function squeezeParts(item: Item, userTokens: number, estimator: Estimator): Shareable<ShortPart>[] {
  const pieces = item.message.role === 'tool' || isUserMessage(item) ? pieceParts(item, estimator) : undefined
  if (pieces === undefined) return [messagePart(item, userTokens, estimator)]
  return isUserMessage(item) ? [joined(pieces, userTokens)] : pieces
}

/** Undefined if the message is more than its pieces: a provider has counted it, or it has other parts. */
function pieceParts({ message, seq }: Item, estimator: Estimator): Shareable<ShortPart>[] | undefined {
  const parts = piecesOf(message).map((piece, at) => piecePart(piece, at, seq, estimator))
  const size = parts.reduce((sum, part) => sum + part.size, 0)
  return size === messageTokens(message, estimator) ? parts : undefined
}

function piecePart(piece: Piece, at: number, seq: number, estimator: Estimator): Shareable<ShortPart> {
  const short = (head: number, tail: number): ShortPart => ({
    cuts: [{ at, head, tail }],
    tokens: estimator.text(squeezePiece(piece, seq, { head, tail })),
  })
  const isSolid = piece.kind === 'file'
  const [size, characters] = isSolid ? [IMAGE_TOKENS, 0] : [estimator.text(piece.text), piece.text.length]
  const least = short(0, 0)
  return {
    size,
    most: size,
    least: Math.min(size, least.tokens),
    isSolid,
    shortTo: (tokens) => longestWithin(tokens, { characters, size, least, short }),
  }
}

/** The pieces of a user message share the room of the message. */
function joined(pieces: readonly Shareable<ShortPart>[], userTokens: number): Shareable<ShortPart> {
  const size = pieces.reduce((sum, piece) => sum + piece.size, 0)
  const least = pieces.reduce((sum, piece) => sum + piece.least, 0)
  return {
    size,
    most: Math.min(size, Math.max(least, userTokens)),
    least,
    isSolid: false,
    shortTo: (tokens) => {
      const forms = shareRoom(pieces, tokens) ?? []
      return {
        cuts: forms.flatMap((form) => form?.cuts ?? []),
        tokens: pieces.reduce((sum, piece, i) => sum + (forms[i]?.tokens ?? piece.size), 0),
      }
    },
  }
}

function messagePart(item: Item, userTokens: number, estimator: Estimator): Shareable<ShortPart> {
  const { message, seq } = item
  const size = messageTokens(message, estimator)
  const short = (head: number, tail: number): ShortPart => ({
    cuts: [{ head, tail }],
    tokens: messageTokens(squeezeMessage(message, seq, head, tail), estimator),
  })
  const least = short(0, 0)
  const most = isUserMessage(item) ? Math.min(size, Math.max(least.tokens, userTokens)) : size
  return {
    size,
    most,
    least: Math.min(size, least.tokens),
    isSolid: false,
    shortTo: (tokens) =>
      longestWithin(tokens, { characters: JSON.stringify(message.content).length, size, least, short }),
  }
}

type ShortForms = {
  readonly characters: number
  readonly size: number
  readonly least: ShortPart
  readonly short: (head: number, tail: number) => ShortPart
}

/** A form this close to its limit is large enough. */
const NEAR = 0.98
/** Each try counts the shortened text. Its size is nearly proportional to its characters, so few tries are needed. Otherwise bisection finds it. */
const PROPORTIONAL_TRIES = 4
const MOST_TRIES = 16
/** The beginning of a text usually says most about it. */
const HEAD_SHARE = 0.6

/** The longest form within these tokens; the shortest one if none is within them. */
function longestWithin(tokens: number, { characters: all, size, least, short }: ShortForms): ShortPart {
  let best = least
  let low = 0
  let high = all
  // Starts from the density of the text itself.
  let characters = Math.floor((high / Math.max(1, size)) * tokens * NEAR)
  for (let tries = 1; tries <= MOST_TRIES && low < characters && characters < high; tries++) {
    const tried = short(Math.ceil(characters * HEAD_SHARE), Math.floor(characters * (1 - HEAD_SHARE)))
    if (tried.tokens > tokens) high = characters
    else {
      if (tried.tokens >= tokens * NEAR) return tried
      best = tried
      low = characters
    }
    const guess = Math.floor((characters * tokens * (1 + NEAR)) / 2 / Math.max(1, tried.tokens))
    const isUseful = tries < PROPORTIONAL_TRIES && guess > low && guess < high
    characters = isUseful ? guess : Math.floor((low + high) / 2)
  }
  return best
}
