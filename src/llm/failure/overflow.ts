import type { ErrorFacts } from './error-facts.ts'
import { FALSE_FRIENDS, OVERFLOW_ROWS } from './overflow-rows.ts'

/** The size of a request that was too large, and the window, where the provider named them. */
export type Overflow = { readonly tokens?: number; readonly limit?: number }

/** The overflow that an error reports; undefined for every other error. */
export function overflowIn(facts: Pick<ErrorFacts, 'status' | 'message' | 'body'>): Overflow | undefined {
  const { status, message, body } = facts
  const text = `${message}\n${body}`
  if (status === 429 || FALSE_FRIENDS.some((row) => row.says.test(text))) return undefined
  const row = OVERFLOW_ROWS.find(({ says }) => says.test(text))
  // Some providers send the status alone, without a body.
  if (row === undefined) return status === 413 ? {} : undefined
  const sizes = {
    tokens: numberIn(text, row.tokens),
    limit: numberIn(text, row.limit),
    output: numberIn(text, row.output),
  }
  return isTheAnswersFault(sizes) ? undefined : { tokens: sizes.tokens, limit: sizes.limit }
}

type Sizes = { tokens?: number; limit?: number; output?: number }

/** A conversation of less than half the window is not too long: the answer that was asked for is. */
function isTheAnswersFault({ tokens, limit, output }: Sizes): boolean {
  return output !== undefined && tokens !== undefined && limit !== undefined && tokens < limit / 2
}

function numberIn(text: string, pattern: RegExp | undefined): number | undefined {
  const digits = pattern
    ?.exec(text)
    ?.slice(1)
    .find((group) => group !== undefined)
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''))
}
