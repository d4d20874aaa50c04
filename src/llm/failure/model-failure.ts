import type { ErrorFacts } from './error-facts.ts'
import { OUTPUT_ROWS } from './output-rows.ts'
import { answerSizes, numberIn } from './overflow.ts'

/** Why a call failed. A failure ends the stream as data. It is never thrown. */
export type ModelFailure = {
  readonly kind:
    | 'overflow'
    | 'rate-limit'
    | 'auth'
    | 'bad-request'
    | 'server'
    | 'network'
    | 'silence'
    | 'malformed'
    | 'aborted'
  /** One line for the user, without secrets. */
  readonly text: string
  /** The size of the request and the window, if the provider named them. */
  readonly tokens?: number
  readonly limit?: number
  /** The longest answer that the provider allows, if a longer one was requested. */
  readonly outputLimit?: OutputLimit
  /** How long the provider asks to wait. */
  readonly retryAfterMs?: number
}

/** The failure of a call that its caller aborted. */
export const ABORTED: ModelFailure = { kind: 'aborted', text: 'aborted' }

/** Thrown inside a call that its caller aborted. */
export class AbortedError extends Error {
  override readonly name = 'AbortedError'
}

/** Thrown inside a call that is answered with a web page. */
export class PageError extends Error {
  override readonly name = 'PageError'

  constructor() {
    super('it answered with a web page instead of a model’s answer: check the address of the provider (base_url)')
  }
}

/** Thrown inside a call whose provider sends nothing for too long. */
export class SilenceError extends Error {
  override readonly name = 'SilenceError'

  constructor(afterMs: number) {
    super(`no answer for ${Math.round(afterMs / 1000)} seconds`)
  }
}

/** The longest answer that a provider allows: of the model in general, or for this request. */
type OutputLimit = { readonly tokens: number; readonly of: 'model' | 'request' }

/** The limit that an error names if the requested answer was too long; undefined for every other error. */
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

/** The provider also counts its chat template, so the next request may be slightly larger. */
const MARGIN = 64

function rest(sizes: { tokens?: number; limit?: number } | undefined): OutputLimit | undefined {
  if (sizes?.tokens === undefined || sizes.limit === undefined) return undefined
  return limit(sizes.limit - sizes.tokens - MARGIN, 'request')
}

function limit(tokens: number, of: OutputLimit['of']): OutputLimit | undefined {
  return tokens > 0 ? { tokens, of } : undefined
}
