import type { SqueezedPiece } from '../../model/entry.ts'
import type { Message } from '../../model/message/message.ts'
import { type Item, isUserMessage } from '../../model/view.ts'
import { type Estimator, IMAGE_TOKENS, messageTokens } from '../../tokens/estimate/estimator.ts'
import { type Piece, piecesOf } from '../context/view/message-pieces.ts'
import { squeezeMessage, squeezePiece } from '../context/view/rewrite-message.ts'
import { type Shareable, shareRoom } from './share-room.ts'

/** What becomes of a part of an item: cuts of its pieces, or one without a place for all texts of the message. */
export type ShortPart = { readonly cuts: readonly Cut[]; readonly tokens: number }
export type Cut = Omit<SqueezedPiece, 'at'> & { readonly at?: number }

/**
 * The parts of an item that share a room with those of others. Each text and file of tool results is a part. A message of
 * the user is one, with at most `userTokens`; so is an answer, whose texts and arguments are shortened alike.
 */
export function squeezeParts(item: Item, userTokens: number, estimator: Estimator): Shareable<ShortPart>[] {
  const pieces = item.message.role === 'tool' || isUserMessage(item) ? pieceParts(item, estimator) : undefined
  if (pieces === undefined) return [messagePart(item, userTokens, estimator)]
  return isUserMessage(item) ? [joined(pieces, userTokens)] : pieces
}

/** Undefined if the pieces are not all that counts: a provider has counted the message, or it has other parts. */
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

/** The pieces of a message of the user share what the message may have. */
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
    shortTo: (tokens) => longestWithin(tokens, { characters: charactersOf(message), size, least, short }),
  }
}

function charactersOf(message: Message): number {
  return JSON.stringify(message.content).length
}

type ShortForms = {
  readonly characters: number
  readonly size: number
  readonly least: ShortPart
  readonly short: (head: number, tail: number) => ShortPart
}

/** A form this near to its tokens is large enough. */
const NEAR = 0.98
/** Each try counts the shortened text. Its size is nearly proportional to its characters, so few are needed; where it is not, halving finds it. */
const PROPORTIONAL_TRIES = 4
const MOST_TRIES = 16
/** The beginning says what a text is, and most of it. */
const HEAD_SHARE = 0.6

/** The form that keeps the most within these tokens; the shortest one if none is within them. */
function longestWithin(tokens: number, { characters: all, size, least, short }: ShortForms): ShortPart {
  let best = least
  let low = 0
  let high = all
  // From the text's own density.
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
