import { handle } from '../../model/text.ts'
import { count } from './numbers.ts'

/** An item of which the view has only a part. */
export type ShortenedItem = {
  readonly seq: number
  readonly shownCharacters: number
  /** Undefined if it is not known. */
  readonly characters?: number
}

/** The items that the model sees only in part, and how it gets the rest. */
export function shortenedText(items: readonly ShortenedItem[]): string {
  const [only, ...more] = items
  const names = items.map(({ seq }) => handle(seq)).join(', ')
  const isCounted = only?.characters !== undefined && more.length === 0
  const part = isCounted
    ? `${count(only.shownCharacters)} of its ${count(only.characters ?? 0)} characters, the beginning and the end,`
    : 'the beginning and the end'
  return `Shortened ${names}: the model sees ${part} and can recall the rest.`
}

/** How much of a long result the model sees. */
export function shownPartText(shownCharacters: number, characters: number): string {
  return `The model sees ${count(shownCharacters)} of ${count(characters)} characters, and can recall the rest.`
}
