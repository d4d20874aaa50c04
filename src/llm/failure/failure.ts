import { field } from '../../model/values.ts'
import { type Endpoint, keyAdvice, secretsOf } from '../provider/endpoint.ts'
import { type ErrorFacts, factsOf } from './error-facts.ts'
import { ABORTED, AbortedError, type ModelFailure, outputLimitIn, PageError, SilenceError } from './model-failure.ts'
import { overflowIn } from './overflow.ts'

/** A failure, and whether another attempt can help. */
export type CallFailure = { readonly failure: ModelFailure; readonly retry: boolean }

/** The parts of an endpoint that a text about its failure needs. */
export type FailingEndpoint = Pick<Endpoint, 'provider' | 'baseUrl' | 'apiKey' | 'keyFrom' | 'headers' | 'isLocal'>

/** The failure for an error: one line without secrets for the user, and a kind for the loop. */
export function failureOf(error: unknown, endpoint: FailingEndpoint, now: number): CallFailure {
  if (error instanceof AbortedError) return { failure: ABORTED, retry: false }
  const facts = factsOf(error)
  const say = (text: string) => scrub(`${endpoint.provider}: ${text}`, secretsOf(endpoint))
  if (error instanceof SilenceError || facts.networkCode?.endsWith('_TIMEOUT')) {
    return { failure: { kind: 'silence', text: say(facts.message) }, retry: true }
  }
  if (isFromPage(error)) return { failure: { kind: 'bad-request', text: say(new PageError().message) }, retry: false }
  if (isUnreadable(error)) {
    return { failure: { kind: 'malformed', text: say('it sent something that cannot be read') }, retry: true }
  }
  const overflow = overflowIn(facts)
  if (overflow !== undefined) {
    return { failure: { ...overflow, kind: 'overflow', text: say(words(facts)) }, retry: false }
  }
  if (facts.networkCode !== undefined && facts.status === undefined) return network(facts.networkCode, endpoint, say)
  const { kind, retry } = isOurs(error, facts) ? BAD_REQUEST : kindOf(facts)
  const message = say(words(facts))
  const text = isKeyRefused(facts) ? `${message}; ${keyAdvice(endpoint)}` : message
  const failure = { kind, text, retryAfterMs: retryAfterMs(facts, now) }
  return { failure: { ...failure, outputLimit: outputLimitIn(facts) }, retry }
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

/** True if waiting does not help: a quota is used up or not paid, or one request is larger than the limit for a minute. */
function isHopeless(text: string): boolean {
  const [, limit, requested] = /Limit (\d+), Requested (\d+)/.exec(text) ?? []
  return NO_CREDIT.test(text) || (limit !== undefined && Number(requested) > Number(limit))
}

const NO_CREDIT = /insufficient_quota|credit balance|billing|extra usage is required/i

/** The kind of an error without a status, as inside a stream. Its words are the same as those of an error with a status. */
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

/** True if the answer is not JSON, or does not follow the protocol. Its text is not searched, because it may be the model's own words. */
function isUnreadable(error: unknown): boolean {
  const isParser = error instanceof Error && /^AI_(JSONParse|TypeValidation)Error$/.test(error.name)
  return isParser && field(field(error, 'value'), 'error') === undefined
}

/** Searches the causes, too, because the SDK wraps errors that occur while it reads. */
function isFromPage(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth++)
    if (cause instanceof PageError) return true
  return false
}

/** True if the SDK refused the request before it was sent. */
function isOurs(error: unknown, { status }: ErrorFacts): boolean {
  return error instanceof Error && status === undefined && /^AI_/.test(error.name) && !ABOUT_ANSWERS.test(error.name)
}

const ABOUT_ANSWERS = /^AI_(APICall|InvalidResponseData|EmptyResponseBody|NoOutputGenerated|Download)Error$/

function network(code: string, endpoint: FailingEndpoint, say: (text: string) => string): CallFailure {
  const { host } = new URL(endpoint.baseUrl)
  if (code === 'ECONNREFUSED' && endpoint.isLocal) {
    // Try again, because the server may be about to start.
    return { failure: { kind: 'network', text: say(`nothing listens at ${host}: start the server`) }, retry: true }
  }
  const text = code === 'terminated' ? `the connection to ${host} broke` : `no connection to ${host} (${code})`
  return { failure: { kind: 'network', text: say(text) }, retry: true }
}

function words({ status, message }: ErrorFacts): string {
  return status === undefined ? message : `${message} (HTTP ${status})`
}

/** Google answers a wrong key with status 400. */
function isKeyRefused({ status, body }: ErrorFacts): boolean {
  return status === 401 || (status === 400 && /API_KEY_INVALID/.test(body))
}

/** How long a provider asks to wait: from its headers or, for Google, from the body. */
function retryAfterMs({ headers, body }: ErrorFacts, now: number): number | undefined {
  const exact = Number(headers['retry-after-ms'])
  if (headers['retry-after-ms'] !== undefined && Number.isFinite(exact)) return atLeastZero(exact)
  const after = headers['retry-after']
  if (after !== undefined) {
    const ms = /^\d+(\.\d+)?$/.test(after.trim()) ? Number(after) * 1000 : Date.parse(after) - now
    if (Number.isFinite(ms)) return atLeastZero(ms)
  }
  const delay = /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1]
  return delay === undefined ? undefined : atLeastZero(Number(delay) * 1000)
}

function atLeastZero(ms: number): number {
  return Math.max(0, Math.ceil(ms))
}

const LONGEST = 400

/** A provider's text as one line without secrets: the given ones, and everything that looks like a key. */
export function scrub(text: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
  let clean = text
  // The longest first, because one secret may be part of another.
  for (const form of [...new Set(forms)].toSorted((a, b) => b.length - a.length)) clean = clean.split(form).join('***')
  const line = clean.replace(LOOKS_LIKE_A_KEY, '***').replace(/\s+/g, ' ').trim()
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST).trimEnd()}…`
}

// Providers quote keys in their errors, some of them half masked: sk-proj-…, gsk_…, xai-…, AIza…, Bearer ….
const LOOKS_LIKE_A_KEY =
  /\b(?:sk|pk|rk|gsk|xai|fw|tgp|r8|hf)[-_][\w*.-]{8,}|\bAIza[\w*-]{10,}|\bBearer\s+[\w*.~+/=-]{8,}/g
