import type { ErrorFacts } from './error-facts.ts'
import { FALSE_FRIENDS, OVERFLOW_ROWS, type OverflowRow } from './overflow-rows.ts'

/** The size of a request that was too large, and the window, if the provider named them. */
export type Overflow = { readonly tokens?: number; readonly limit?: number }

/** The overflow that an error reports; undefined for every other error. */
export function overflowIn(facts: Pick<ErrorFacts, 'status' | 'message' | 'body'>): Overflow | undefined {
  const { status, message, body } = facts
  const text = `${message}\n${body}`
  if (status === 429 || FALSE_FRIENDS.some((row) => row.says.test(text))) return undefined
  const row = OVERFLOW_ROWS.find(({ says }) => says.test(text))
  // Some providers send only the status, without a body.
  if (row === undefined) return status === 413 ? {} : undefined
  const sizes = sizesIn(text, row)
  return isTheAnswersFault(sizes) ? undefined : { tokens: sizes.tokens, limit: sizes.limit }
}

/** The sizes in a message about the context, if the requested answer was too long; undefined for every other text. */
export function answerSizes(text: string): Overflow | undefined {
  const row = OVERFLOW_ROWS.find(({ says }) => says.test(text))
  const sizes = row === undefined ? undefined : sizesIn(text, row)
  return sizes !== undefined && isTheAnswersFault(sizes) ? sizes : undefined
}

type Sizes = Overflow & { readonly output?: number }

function sizesIn(text: string, row: OverflowRow): Sizes {
  return {
    tokens: numberIn(text, row.tokens),
    limit: numberIn(text, row.limit),
    output: numberIn(text, row.output),
  }
}

/** A conversation of less than half the window is not too long, so the requested answer must be. */
function isTheAnswersFault({ tokens, limit, output }: Sizes): boolean {
  return output !== undefined && tokens !== undefined && limit !== undefined && tokens < limit / 2
}

/** The number that the first group of a pattern finds in a text. */
export function numberIn(text: string, pattern: RegExp | undefined): number | undefined {
  const digits = pattern
    ?.exec(text)
    ?.slice(1)
    .find((group) => group !== undefined)
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''))
}
