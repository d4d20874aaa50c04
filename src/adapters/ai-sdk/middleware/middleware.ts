import type { ModelMessage } from 'ai'
import { requestWithoutRecall, requestOf as viewRequest } from '../../../engine/context/view/request.ts'
import type { ContextState } from '../../../fit/state/context-state.ts'
import { usageOf } from '../../../llm/call/stream.ts'
import { factsOf } from '../../../llm/failure/error-facts.ts'
import { type Overflow, overflowIn } from '../../../llm/failure/overflow.ts'
import type { Policy, PolicyPatch } from '../../../model/policy/policy.ts'
import { checkOptions } from '../../../model/problems/problem-text.ts'
import { OnlyConversation } from '../../shared/only-conversation.ts'
import { CONTEXT_OPTIONS, type ContextOptions } from '../context/context-options.ts'
import { type ContextCall, ConversationKeeper, isChanged } from '../context/conversation-keeper.ts'
import { type AnswerReport, conversationState, type KnownConversation } from '../context/conversations.ts'
import {
  type CallOptions,
  fixedInCall,
  type GenerateResult,
  type Middleware,
  readPrompt,
  type SdkModel,
  type StreamPart,
  type StreamResult,
  warmModel,
  writePrompt,
} from '../models/sdk-call.ts'
import { nameInLog } from '../models/summary-model.ts'

/** A middleware of the AI SDK that keeps conversations inside the window. */
export type CompactionMiddleware = Middleware & {
  /**
   * The state of the conversation with these messages: JSON for the option `state` of the next middleware. Without messages, the
   * state of the only conversation so far. Undefined before the first call and, with a warning, if there were several.
   */
  readonly state: (messages?: readonly ModelMessage[]) => ContextState | undefined
}

/** How often one request may overflow. Each time we assume a smaller window. */
const MOST_OVERFLOWS = 6

/** A request under way, and the values that it was made from. */
type Request = {
  known: KnownConversation
  readonly call: ContextCall
  readonly instructions: Instructions
  readonly prompt: CallOptions['prompt']
}
type Instructions = ReturnType<typeof readPrompt>['instructions']

/**
 * Middleware for `wrapLanguageModel`. It compacts a prompt that is close to the window before it is sent, recovers when the
 * provider refuses a prompt as too large, and uses one summary for all later calls of the same conversation. A prompt that
 * needs no change is sent as the same object.
 *
 * @example
 * ```ts
 * import { openai } from '@ai-sdk/openai'
 * import { wrapLanguageModel } from 'ai'
 * import { compactionMiddleware } from 'pith/ai-sdk'
 *
 * const compacting = wrapLanguageModel({ model: openai('gpt-5'), middleware: compactionMiddleware({ window: 200_000 }) })
 * ```
 */
export function compactionMiddleware(options: ContextOptions = {}): CompactionMiddleware {
  checkOptions('compactionMiddleware', options, CONTEXT_OPTIONS)
  const context = new ConversationKeeper(options)
  const requests = new WeakMap<CallOptions, Request>()
  const only = new OnlyConversation<KnownConversation>()
  // When the SDK tries again, it passes the prompt of the first try.
  const note = ({ known, prompt }: Request) => only.note(known.messages, known, prompt)
  return {
    state: (messages) => {
      const known = messages === undefined ? context.only(only) : context.read(messages)
      return known && conversationState(known)
    },
    specificationVersion: 'v4',
    transformParams: async ({ params, model }) => {
      const request = requestOf(context, params, model)
      note(request)
      const { known, changed } = await context.fit(request.known, request.call, 'threshold')
      const sent = changed ? sentParams(params, request.instructions, known) : { ...params }
      requests.set(sent, { ...request, known })
      note({ ...request, known })
      return sent
    },
    wrapGenerate: async ({ params, model }) => {
      const request = requests.get(params) ?? requestOf(context, params, model)
      const result = await untilItFits(context, request, params, (sent) => attemptGenerate(model, sent))
      note(request)
      context.conversations.keep(request.known, reportOf(context, request, result))
      return result
    },
    wrapStream: async ({ params, model }) => {
      const request = requests.get(params) ?? requestOf(context, params, model)
      const result = await untilItFits(context, request, params, (sent) => attemptStream(model, sent))
      note(request)
      const observer = new TransformStream<StreamPart, StreamPart>({
        transform(part, controller) {
          if (part.type === 'finish') context.conversations.keep(request.known, reportOf(context, request, part))
          controller.enqueue(part)
        },
      })
      return { ...result, stream: result.stream.pipeThrough(observer) }
    },
  }
}

function requestOf(context: ConversationKeeper, params: CallOptions, model: SdkModel): Request {
  const { instructions, messages } = readPrompt(params.prompt)
  const known = context.open(messages)
  // The provider's cache holds the beginning of the request that would be sent now.
  const now = () => (isChanged(known) ? sentParams(params, instructions, known) : params)
  const warm = () => warmModel(model, context.infoOf(model, known), now, known.answeredAt)
  const fixed = fixedInCall(instructions, params.tools)
  const call = { model, fixed, recalls: hasRecall(params), signal: params.abortSignal, warm }
  return { known, call, instructions, prompt: params.prompt }
}

/** The call with the view of its conversation instead of its prompt. */
function sentParams(
  params: CallOptions,
  instructions: Instructions,
  { context: { view }, messages }: KnownConversation,
): CallOptions {
  const request = viewRequest(view)
  return {
    ...params,
    prompt: writePrompt(instructions, hasRecall(params) ? request : requestWithoutRecall(request, messages)),
  }
}

function hasRecall({ tools }: CallOptions): boolean {
  return tools?.some(({ name }) => name === 'recall') === true
}

/** Sends the request until it fits. The first compaction follows the policy; the next ones use no model and smaller windows. */
async function untilItFits<R>(
  context: ConversationKeeper,
  request: Request,
  params: CallOptions,
  attempt: (params: CallOptions) => Promise<Attempt<R>>,
): Promise<R> {
  let sent = params
  for (let tries = 1; ; tries++) {
    const outcome = await attempt(sent)
    if (outcome.kind === 'answered') return outcome.result
    const smaller =
      tries > MOST_OVERFLOWS ? undefined : await recovered(context, request, params, outcome.overflow, tries)
    if (smaller === undefined) return outcome.giveUp()
    sent = smaller
  }
}

async function recovered(
  context: ConversationKeeper,
  request: Request,
  params: CallOptions,
  overflow: Extract<Attempt<unknown>, { kind: 'overflow' }>['overflow'],
  attempt: number,
): Promise<CallOptions | undefined> {
  const { options, policy } = context
  context.emit({ type: 'overflow', attempt, ...overflow })
  request.known = context.learn(request.known, request.call, overflow)
  const mostTries = policy.fitTarget ? MOST_OVERFLOWS : 1
  for (let tries = attempt; tries <= mostTries; tries++) {
    const lower = tries === 1 ? undefined : lowerRungs(policy, options.policy)
    // Nothing could be removed for that window, so assume a smaller one.
    if (tries > attempt) request.known = context.learn(request.known, request.call, {})
    const { known, compacted } = await context.fit(
      request.known,
      { ...request.call, warm: undefined },
      'overflow',
      lower,
    )
    request.known = known
    if (compacted) return sentParams(params, request.instructions, known)
  }
  return undefined
}

/** The rungs that need no model and cannot fail. */
function lowerRungs({ mode }: Policy, patch: PolicyPatch | undefined): PolicyPatch {
  return { ...patch, mode: mode === 'auto' ? mode : 'off', rungs: ['digest', 'squeeze'] }
}

function reportOf(
  context: ConversationKeeper,
  { call }: Request,
  { usage, finishReason }: Pick<GenerateResult, 'usage' | 'finishReason'>,
): AnswerReport | undefined {
  const counted = usageOf({ type: 'finish', usage, finishReason })
  return counted && { usage: counted, at: Date.now(), model: nameInLog(context.infoOf(call.model)) }
}

/** The outcome of a request. After an overflow that we cannot recover from, `giveUp` passes the provider's error or answer to the caller. */
type Attempt<R> =
  | { readonly kind: 'answered'; readonly result: R }
  | { readonly kind: 'overflow'; readonly overflow: Overflow; readonly giveUp: () => R }

async function attemptGenerate(model: SdkModel, params: CallOptions): Promise<Attempt<GenerateResult>> {
  try {
    const result = await model.doGenerate(params)
    const isEmpty = result.content.length === 0
    return isEmpty && leftNoRoom(result) ? overflow({}, () => result) : { kind: 'answered', result }
  } catch (error) {
    return thrown(error)
  }
}

/** Asks for a stream. Some providers report only in the first part of the stream that the request is too large. */
async function attemptStream(model: SdkModel, params: CallOptions): Promise<Attempt<StreamResult>> {
  try {
    const answer = await model.doStream(params)
    const { first, stream } = await peekStream(answer.stream)
    const result = { ...answer, stream }
    const refusal = overflowInPart(first)
    return refusal === undefined ? { kind: 'answered', result } : overflow(refusal, () => result)
  } catch (error) {
    return thrown(error)
  }
}

function overflowInPart(part: StreamPart | undefined): Overflow | undefined {
  if (part?.type === 'error') return overflowIn(factsOf(part.error))
  return part?.type === 'finish' && leftNoRoom(part) ? {} : undefined
}

/** True when the answer ended at its limit before it began. Some servers report too long an input only in this way. */
function leftNoRoom({ finishReason, usage }: Pick<GenerateResult, 'finishReason' | 'usage'>): boolean {
  return finishReason.unified === 'length' && (usage.outputTokens.total ?? 0) <= 1
}

function overflow<R>(refusal: Overflow, giveUp: () => R): Attempt<R> {
  return { kind: 'overflow', overflow: refusal, giveUp }
}

function thrown<R>(error: unknown): Attempt<R> {
  const refusal = overflowIn(factsOf(error))
  if (refusal === undefined) throw error
  return overflow(refusal, () => {
    throw error
  })
}

const PREAMBLE: ReadonlySet<string> = new Set(['stream-start', 'response-metadata', 'raw', 'custom'])

/** The first part of a stream that is not preamble, and a stream that still has all parts. */
async function peekStream(
  stream: ReadableStream<StreamPart>,
): Promise<{ first: StreamPart | undefined; stream: ReadableStream<StreamPart> }> {
  const reader = stream.getReader()
  const held: StreamPart[] = []
  let first: StreamPart | undefined
  while (first === undefined) {
    const { done, value } = await reader.read()
    if (done) break
    held.push(value)
    if (!PREAMBLE.has(value.type)) first = value
  }
  return { first, stream: resumed(held, reader) }
}

function resumed(held: StreamPart[], reader: ReadableStreamDefaultReader<StreamPart>): ReadableStream<StreamPart> {
  return new ReadableStream({
    async pull(controller) {
      const next = held.shift()
      if (next !== undefined) return controller.enqueue(next)
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
