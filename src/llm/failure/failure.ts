import { Aborted, Silence } from '../call/watch.ts'
import type { ModelFailure } from '../chat-model.ts'
import type { Endpoint } from '../endpoint.ts'
import { secretsOf } from '../endpoint.ts'
import { type ErrorFacts, factsOf, field } from './error-facts.ts'
import { overflowIn } from './overflow.ts'
import { retryAfterMs } from './retry-after.ts'
import { scrub } from './scrub.ts'

/** A failure, and whether asking again can help. */
export type Failed = { readonly failure: ModelFailure; readonly retry: boolean }

/** What an error means: for the user as one line without secrets, for the loop as a kind. */
export function failedBy(error: unknown, endpoint: Endpoint, now: number): Failed {
  if (error instanceof Aborted) return { failure: { kind: 'aborted', text: 'aborted' }, retry: false }
  const facts = factsOf(error)
  const say = (text: string) => scrub(`${endpoint.provider}: ${text}`, secretsOf(endpoint))
  if (error instanceof Silence || facts.networkCode?.endsWith('_TIMEOUT')) {
    return { failure: { kind: 'silence', text: say(facts.message) }, retry: true }
  }
  if (isUnreadable(error)) {
    return { failure: { kind: 'malformed', text: say('it sent something that cannot be read') }, retry: true }
  }
  const overflow = overflowIn(facts)
  if (overflow !== undefined) {
    return { failure: { ...overflow, kind: 'overflow', text: say(words(facts)) }, retry: false }
  }
  if (facts.networkCode !== undefined && facts.status === undefined) return network(facts.networkCode, endpoint, say)
  const wait = retryAfterMs(facts, now)
  const asked = wait === undefined ? {} : { retryAfterMs: wait }
  const { kind, retry } = isOurs(error, facts) ? BAD_REQUEST : kindOf(facts)
  return { failure: { kind, text: say(words(facts)), ...asked }, retry }
}

type Kind = { readonly kind: ModelFailure['kind']; readonly retry: boolean }
const BAD_REQUEST: Kind = { kind: 'bad-request', retry: false }

function kindOf({ status, body, message }: ErrorFacts): Kind {
  const text = `${message} ${body}`
  if (status === undefined) return kindOfWords(text)
  if (status === 401 || status === 403) return { kind: 'auth', retry: false }
  if (status === 402) return { kind: 'rate-limit', retry: false }
  if (status === 429 || /rate_limit_exceeded/.test(body)) return { kind: 'rate-limit', retry: !isHopeless(text) }
  if (status === 408 || status === 409 || status >= 500) return { kind: 'server', retry: true }
  return BAD_REQUEST
}

/** A quota that is used up or not paid does not come back in a minute, nor does a minute get larger than its limit. */
function isHopeless(text: string): boolean {
  const [, limit, requested] = /Limit (\d+), Requested (\d+)/.exec(text) ?? []
  return NO_CREDIT.test(text) || (limit !== undefined && Number(requested) > Number(limit))
}

const NO_CREDIT = /insufficient_quota|credit balance|billing|extra usage is required/i

/** Errors inside a stream have no status; their words are those of the errors that have one. */
function kindOfWords(text: string): Kind {
  if (NO_CREDIT.test(text) || /rate.?limit|too many requests|RESOURCE_EXHAUSTED/i.test(text)) {
    return { kind: 'rate-limit', retry: !isHopeless(text) }
  }
  if (/overloaded|server_error|api_error|internal|unavailable|try again/i.test(text)) {
    return { kind: 'server', retry: true }
  }
  if (/authentication|permission|invalid.api.key/i.test(text)) return { kind: 'auth', retry: false }
  if (/invalid_request|invalid_prompt/i.test(text)) return BAD_REQUEST
  return { kind: 'malformed', retry: true }
}

/** What came is no JSON or not of the protocol. Its text is not looked into: it may be the model's own words. */
function isUnreadable(error: unknown): boolean {
  const isParser = error instanceof Error && /^AI_(JSONParse|TypeValidation)Error$/.test(error.name)
  return isParser && field(field(error, 'value'), 'error') === undefined
}

/** The SDK refused the request before it was sent. */
function isOurs(error: unknown, { status }: ErrorFacts): boolean {
  return error instanceof Error && status === undefined && /^AI_/.test(error.name) && !ABOUT_ANSWERS.test(error.name)
}

const ABOUT_ANSWERS = /^AI_(APICall|InvalidResponseData|EmptyResponseBody|NoOutputGenerated|Download)Error$/

function network(code: string, endpoint: Endpoint, say: (text: string) => string): Failed {
  const { host } = new URL(endpoint.baseUrl)
  if (code === 'ECONNREFUSED' && endpoint.isLocal) {
    return { failure: { kind: 'network', text: say(`nothing listens at ${host}: start the server`) }, retry: false }
  }
  const text = code === 'terminated' ? `the connection to ${host} broke` : `no connection to ${host} (${code})`
  return { failure: { kind: 'network', text: say(text) }, retry: true }
}

function words({ status, message }: ErrorFacts): string {
  return status === undefined ? message : `${message} (HTTP ${status})`
}
