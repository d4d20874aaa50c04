import {
  type Message,
  type ModelChunk,
  type ModelInfo,
  modelName,
  type SummaryModel,
  type WarmModel,
} from '../model/types.ts'
import { summaryModels } from '../models/summary-models.ts'
import { messagesTokens } from '../tokens/estimate/estimator.ts'
import { featureEstimator } from '../tokens/estimate/feature-estimator.ts'
import { roomForAnswer } from '../tokens/windows.ts'
import type { ChatModel, ModelCall, ModelEvent } from './call/chat-model.ts'
import { type OpenModelDeps, openModel, type UnusableModel } from './open-model.ts'

/** Fewer attempts than usual, because the user waits and there are other ways to compact. */
const ATTEMPTS = 3

/** Makes a summary model from a chat model. The engine splits a text that exceeds its window into chunks. */
export function asSummaryModel(model: ChatModel): SummaryModel {
  const { contextWindow, maxInput } = model.info
  return {
    ...namedAndPriced(model),
    window: maxInput ?? contextWindow,
    stream: ({ system, messages, maxOutputTokens, mostTokens }, signal) =>
      chunksOf(
        model.stream({
          system: [system],
          messages,
          maxOutputTokens:
            maxOutputTokens && withThinking(maxOutputTokens, roomAfter(messages, model.info, mostTokens)),
          attempts: ATTEMPTS,
          signal,
        }),
      ),
  }
}

/** The tokens for thinking before a summary: the output limit of most providers includes hidden reasoning. */
const THINKING_TOKENS = 8_000

function withThinking(maxOutputTokens: number, room = Number.POSITIVE_INFINITY): number {
  return Math.max(maxOutputTokens, Math.min(maxOutputTokens + THINKING_TOKENS, room))
}

/** The room for an answer to these messages. If even `mostTokens` would not reduce the room, the messages are not counted. */
function roomAfter(messages: readonly Message[], info: ModelInfo, mostTokens: number | undefined): number | undefined {
  const [most, least] = [roomForAnswer(info, 0), mostTokens && roomForAnswer(info, mostTokens)]
  return most === least ? most : roomForAnswer(info, messagesTokens(messages, featureEstimator))
}

/** The last request that was sent, and when. */
export type LastCall = {
  readonly at: number
  readonly call: () => ModelCall
  /** How many of its messages the provider has seen, if some were added since. */
  readonly sentMessages?: number
}

/**
 * The session's own model after its last request: the same system prompt, tools and messages, and the directive as one
 * more message. Undefined when the provider's cache of that request has expired.
 */
export function warmModelOf(model: ChatModel, last: LastCall, now: number): WarmModel | undefined {
  if (now - last.at > (model.cacheLifetimeMs ?? 0)) return undefined
  const warm = (directive: string): ModelCall => {
    const call = last.call()
    return {
      ...call,
      messages: [...call.messages, { role: 'user', content: directive }],
      cachedMessages: last.sentMessages ?? call.messages.length,
    }
  }
  return {
    ...namedAndPriced(model),
    stream: (directive, signal) => chunksOf(model.stream({ ...warm(directive), attempts: ATTEMPTS, signal })),
  }
}

/** The models that may write the summary, in the order of preference, and the wanted one if it cannot be used. */
export type SummaryModelChoice = { readonly models: readonly SummaryModel[]; readonly unusable?: UnusableModel }

/**
 * The models for a policy's `summaryModel`: `main` is the session's own, `standard` (or `cheap`) a cheaper one of its provider,
 * anything else is a model's name. The session's own model is always tried last.
 */
export function summaryModelsFor(wanted: string, main: ChatModel, deps: OpenModelDeps): SummaryModelChoice {
  const own = asSummaryModel(main)
  if (wanted === 'main') return { models: [own] }
  if (wanted === 'standard' || wanted === 'cheap') return { models: [...cheaperThan(main, deps), own] }
  const opened = openModel(wanted, deps)
  if ('unusable' in opened) return { models: [own], unusable: opened }
  return { models: opened.name === main.name ? [own] : [asSummaryModel(opened), own] }
}

function cheaperThan(main: ChatModel, deps: OpenModelDeps): SummaryModel[] {
  const open = (info: ModelInfo) => openModel(modelName(info), deps)
  return summaryModels(deps.registry, main.info, (info) => !('unusable' in open(info)))
    .filter((info) => info !== main.info)
    .map(open)
    .flatMap((opened) => ('unusable' in opened ? [] : [asSummaryModel(opened)]))
}

function namedAndPriced({ name, info: { prices } }: ChatModel): Pick<WarmModel, 'name' | 'prices'> {
  return { name, prices }
}

async function* chunksOf(events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelChunk, void> {
  for await (const event of events) {
    const chunk = chunkOf(event)
    if (chunk !== undefined) yield chunk
  }
}

function chunkOf(event: ModelEvent): ModelChunk | undefined {
  switch (event.type) {
    case 'text':
      return { type: 'text', text: event.text }
    case 'tool-call':
      return { type: 'tool-call', name: event.toolName }
    case 'finish': {
      const reason = event.reason === 'stop' || event.reason === 'length' ? event.reason : 'other'
      return { type: 'finish', reason, usage: event.usage }
    }
    case 'retry':
      return { type: 'retry', inMs: event.inMs, reason: event.failure.text, usage: event.usage }
    case 'failed':
      return { type: 'error', error: event.failure.text, usage: event.usage }
    default:
      return undefined
  }
}
