import type { UserFact } from '../../../model/facts/log-index.ts'
import { dateTime } from '../../../model/text/date-time.ts'
import { type Extent, excerpt } from '../../../model/text/excerpt.ts'
import { handle } from '../../../model/text/handle.ts'
import { HIGHEST_PRIORITY, type Snippet } from '../digest/render-within.ts'
import { escaped } from '../escape.ts'

/** A message is quoted whole up to this many characters, whatever else there is. */
export const QUOTED_CHARACTERS = 1_000

/** From whole to the first words; those up to `LEAST_QUOTE` have what must be kept. */
const EXTENTS: readonly Extent[] = [
  { head: Number.POSITIVE_INFINITY, tail: 0 },
  { head: 2_800, tail: 1_200 },
  { head: 1_400, tail: 600 },
  { head: QUOTED_CHARACTERS, tail: 200 },
  { head: QUOTED_CHARACTERS, tail: 0 },
  { head: 350, tail: 150 },
  { head: 150, tail: 60 },
  { head: 90, tail: 0 },
]
export const QUOTE_LEVELS = EXTENTS.length
export const LEAST_QUOTE = 4

/**
 * The messages of the user as snippets, the first of all before the others and those with the newest first. The first and
 * the newest are quoted at length before the others.
 */
export function quoteSnippets(first: readonly UserFact[], later: readonly UserFact[], most: number): Snippet[] {
  const snippet = (fact: UserFact, priority: number): Snippet => ({
    render: (level) => quote(fact, within(EXTENTS[level] ?? { head: 0, tail: 0 }, most)),
    priority,
  })
  return [
    ...first.map((fact) => snippet(fact, HIGHEST_PRIORITY)),
    ...later.toReversed().map((fact) => snippet(fact, fact.seq)),
  ]
}

/** System instructions as snippets, the newest first. */
export function instructionSnippets(given: readonly UserFact[]): Snippet[] {
  return given.toReversed().map((fact) => ({
    render: (level) => quote(fact, INSTRUCTION_EXTENTS[level] ?? { head: 90, tail: 0 }),
    priority: fact.seq,
  }))
}

const INSTRUCTION_EXTENTS = EXTENTS.slice(LEAST_QUOTE)
export const INSTRUCTION_LEVELS = INSTRUCTION_EXTENTS.length

/** A message of the user with its handle, word for word; of a long one its head and tail. */
export function quote({ text: said, seq, at }: UserFact, extent: Extent): string {
  const text = escaped(excerpt(said, extent, handle(seq)))
  return `${handle(seq)} ${date(at)}${text.includes('\n') ? `\n${text}` : text}`
}

/** The day and time behind a handle, if it is known. */
export function date(at: number | undefined): string {
  const told = dateTime(at)
  return told === '' ? '' : `(${told}) `
}

function within({ head, tail }: Extent, most: number): Extent {
  return head + tail <= most ? { head, tail } : { head: Math.ceil(most * 0.7), tail: Math.floor(most * 0.3) }
}
