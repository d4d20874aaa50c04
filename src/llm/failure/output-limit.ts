import type { ErrorFacts } from './error-facts.ts'
import { numberIn } from './number-in.ts'
import { OUTPUT_ROWS } from './output-rows.ts'
import { answerSizes } from './overflow.ts'

/** The longest answer that a provider gives: of the model whatever is asked, or after this one request. */
export type OutputLimit = { readonly tokens: number; readonly of: 'model' | 'request' }

/** The limit that an error names when a longer answer was asked for than the provider gives; undefined for every other error. */
export function outputLimitIn({ status, message, body }: Pick<ErrorFacts, 'status' | 'message' | 'body'>) {
  if (status === 429) return undefined
  const text = `${message}\n${body}`
  const row = OUTPUT_ROWS.find(({ says }) => says.test(text))
  if (row === undefined) return rest(answerSizes(text))
  const tooLong = numberIn(text, row.tooLong)
  const most = numberIn(text, row.most) ?? (tooLong === undefined ? undefined : tooLong - 1)
  if (most !== undefined) return limit(most, 'model')
  return rest({ tokens: numberIn(text, row.tokens), limit: numberIn(text, row.window) })
}

/** The provider counts a template, too; the next request may come out a little larger. */
const MARGIN = 64

function rest(sizes: { tokens?: number; limit?: number } | undefined): OutputLimit | undefined {
  if (sizes?.tokens === undefined || sizes.limit === undefined) return undefined
  return limit(sizes.limit - sizes.tokens - MARGIN, 'request')
}

function limit(tokens: number, of: OutputLimit['of']): OutputLimit | undefined {
  return tokens > 0 ? { tokens, of } : undefined
}
