import type { ServerResponse } from 'node:http'
import { BadBody } from './bad-body.ts'
import type { Answer, Brain } from './brain.ts'
import { deliver, deliverFaulty } from './deliver.ts'
import type { Fault, FaultPlan } from './fault.ts'
import type { ModelRequest } from './model-request.ts'
import type { PromptCache } from './prompt-cache.ts'
import type { Ids, Protocol, Reading } from './protocol.ts'
import type { RequestRecord } from './record.ts'
import { isSummarising } from './summarising.ts'
import { answerTokens, limitAnswer, requestTokens, type TokenUsage, tokensOf } from './token-count.ts'

export type Responder = {
  readonly brain: Brain
  readonly window: number
  readonly faultFor: FaultPlan
  readonly cacheFor: (protocol: Protocol, reading: Reading) => PromptCache
  readonly ids: Ids
  readonly reports: (usage: TokenUsage) => TokenUsage
  readonly onViolation: (record: RequestRecord, problem: string) => void
}

export type Exchange = {
  readonly record: RequestRecord
  readonly protocol: Protocol
  readonly response: ServerResponse
}

/** Answers one request: refuses what the provider would refuse, lets happen what the faults say, else asks the brain. */
export async function respond(responder: Responder, exchange: Exchange): Promise<void> {
  const { record, protocol, response } = exchange
  const reading = readingOf(exchange)
  if (typeof reading === 'string') return refuse(responder, exchange, [reading])
  record.request = reading.request
  record.tokens = requestTokens(reading.segments)
  record.summarising = isSummarising(reading.request)
  const problems = [...reading.problems, ...(reading.oddities ?? [])]
  if (problems.length > 0) return refuse(responder, exchange, problems)
  if (record.tokens > responder.window) {
    responder.onViolation(record, `the request has ${record.tokens} tokens, the window ${responder.window}`)
    record.outcome = 'overflow'
    return deliver(response, protocol.overflow(record.tokens, responder.window))
  }
  return answer(responder, exchange, reading)
}

function readingOf({ record, protocol }: Exchange): Reading | string {
  try {
    return protocol.read(record.body, record.path)
  } catch (error) {
    if (error instanceof BadBody) return error.message
    throw error
  }
}

function refuse({ onViolation }: Responder, exchange: Exchange, problems: readonly string[]): Promise<void> {
  const { record, protocol, response } = exchange
  for (const problem of problems) onViolation(record, problem)
  record.outcome = 'invalid'
  return deliver(response, protocol.error('invalid', problems[0] ?? ''))
}

async function answer(responder: Responder, exchange: Exchange, reading: Reading): Promise<void> {
  const { record, protocol, response } = exchange
  const { given, fault } = await outcomeOf(responder, reading.request, record.number)
  const cache = responder.cacheFor(protocol, reading)
  const usage = {
    input: record.tokens,
    ...cache.use(reading.segments),
    output: answerTokens(given),
    reasoning: tokensOf(given.reasoning?.length ?? 0),
  }
  const context = { model: reading.request.model, ids: responder.ids, ...reading.asks }
  const events = protocol.events(given, responder.reports(usage), context)
  record.outcome = fault?.fault ?? 'answered'
  if (fault === undefined || fault.fault === 'slow') {
    Object.assign(record, { answer: given, usage })
    cache.store(reading.segments)
  }
  return fault === undefined
    ? deliver(response, { kind: 'stream', events })
    : deliverFaulty(response, events, { fault, protocol })
}

/** A fault may break an answer in its middle, so there is one in any case. */
async function outcomeOf({ brain, faultFor }: Responder, request: ModelRequest, number: number) {
  const planned = faultFor(request, number)
  const said = await brain(request, number)
  const fault: Fault | undefined = planned ?? ('fault' in said ? said : undefined)
  const whole: Answer = 'fault' in said ? { text: 'An answer that is never heard to its end.' } : said
  return { given: limitAnswer(whole, request.maxOutputTokens), fault }
}
