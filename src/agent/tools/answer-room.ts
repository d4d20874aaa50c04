import type { ToolContext } from '../tool.ts'

const DEFAULT_CHARACTERS = 30_000
const LEAST_CHARACTERS = 1_000
const NOTE_CHARACTERS = 400

/** How many characters an answer may have without its notes, so that the view shows all of it. */
export function answerRoom({ shownCharacters = DEFAULT_CHARACTERS }: Pick<ToolContext, 'shownCharacters'>): number {
  return Math.max(LEAST_CHARACTERS, shownCharacters - NOTE_CHARACTERS)
}
