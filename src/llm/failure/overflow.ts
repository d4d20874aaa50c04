import type { ErrorFacts } from './error-facts.ts'
import { FALSE_FRIENDS, OVERFLOW_ROWS } from './overflow-rows.ts'

/** What a provider said of a request that is too large. */
export type Overflow = { readonly tokens?: number; readonly limit?: number }

/** Whether an error says that the request is larger than the model's window, and by how much. */
export function overflowIn(facts: Pick<ErrorFacts, 'status' | 'message' | 'body'>): Overflow | undefined {
  const { status, message, body } = facts
  const text = `${message}\n${body}`
  if (status === 429 || FALSE_FRIENDS.some((row) => row.says.test(text))) return undefined
  const row = OVERFLOW_ROWS.find(({ says }) => says.test(text))
  // Some say it by the status alone, with no body at all.
  if (row === undefined) return status === 413 ? {} : undefined
  const said = {
    tokens: numberIn(text, row.tokens),
    limit: numberIn(text, row.limit),
    output: numberIn(text, row.output),
  }
  return isTheAnswersFault(said) ? undefined : overflowOf(said)
}

type Said = { tokens?: number; limit?: number; output?: number }

/** A conversation that takes up less than half of the window is not too long: the answer that was asked for is. */
function isTheAnswersFault({ tokens, limit, output }: Said): boolean {
  return output !== undefined && tokens !== undefined && limit !== undefined && tokens < limit / 2
}

function overflowOf({ tokens, limit }: Said): Overflow {
  return { ...(tokens === undefined ? {} : { tokens }), ...(limit === undefined ? {} : { limit }) }
}

function numberIn(text: string, pattern: RegExp | undefined): number | undefined {
  const digits = pattern
    ?.exec(text)
    ?.slice(1)
    .find((group) => group !== undefined)
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''))
}
