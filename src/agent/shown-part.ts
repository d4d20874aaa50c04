import type { EntryOf } from '../model/types.ts'
import type { ToolContext } from './tool.ts'

/** The most characters of one result that the view shows, and the least, whatever the window. */
const MOST = 30_000
const LEAST = 2_000
/** Characters for each token of the window: about a tenth of it. */
const PER_TOKEN = 0.4

/** The most characters of a result that the view shows in full. */
export function shownCharacters(window: number | undefined): number {
  return Math.floor(Math.min(MOST, Math.max(LEAST, (window ?? Number.POSITIVE_INFINITY) * PER_TOKEN)))
}

/**
 * The part of a long result that the view shows, and the size of its raw output; undefined if the view shows all. The log has
 * the whole result, and recall returns it.
 */
export function shownPart(text: string, window: number | undefined, raw?: string): Shown | undefined {
  const room = shownCharacters(window)
  // The beginning of an output shows what it is, and the end shows the result.
  return partShown(text, { head: Math.ceil(room * 0.5), tail: Math.floor(room * 0.5) }, raw)
}

/** The same with this much of a longer text. */
export function partShown(text: string, most: { head: number; tail: number }, raw?: string): Shown | undefined {
  const more = raw === undefined ? {} : { raw: raw.length }
  if (text.length > most.head + most.tail) return { ...most, ...more }
  return raw === undefined ? undefined : { head: text.length, tail: 0, ...more }
}

type Shown = NonNullable<EntryOf<'message'>['shown']>

const DEFAULT_CHARACTERS = 30_000
const LEAST_CHARACTERS = 1_000
const NOTE_CHARACTERS = 400

/** How many characters an answer may have without its notes, so that the view shows all of it. */
export function answerRoom({ shownCharacters = DEFAULT_CHARACTERS }: Pick<ToolContext, 'shownCharacters'>): number {
  return Math.max(LEAST_CHARACTERS, shownCharacters - NOTE_CHARACTERS)
}
