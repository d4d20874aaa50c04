import type { ProvidersSettings } from '../config/tables/provider-settings.ts'
import { PithError } from '../model/problems/errors.ts'
import { type ModelInfo, modelName, NO_PROVIDER, type Prices, type Usage } from '../model/types.ts'
import { type Registry, resolveModel } from '../models/registry.ts'
import { cacheLifetimeMs } from './call/call-options.ts'
import { type ChatModel, type ModelEvent, RETRY_LIMITS, Retries, type RetryLimits } from './call/chat-model.ts'
import { sleep, streamCall } from './call/stream.ts'
import { type Patience, watchedFetch } from './call/watch.ts'
import { type Endpoint, type Environment, endpointOf } from './provider/endpoint.ts'
import { type LanguageModel, languageModel } from './provider/language-model.ts'

/** Used if nothing is known of a model, not even its provider. */
export const UNKNOWN_MODEL = { provider: NO_PROVIDER, model: 'none' } as const

/**
 * A placeholder for a model that cannot be used. Everything that needs no model works, and a call fails with a line that says
 * what to set. `info` has the known facts about the model.
 */
export function noModel(text: string, info: ModelInfo = UNKNOWN_MODEL): ChatModel {
  return {
    name: 'none/none',
    info,
    retries: () => new Retries({ limits: RETRY_LIMITS, random: Math.random, sleep }),
    async *stream() {
      yield { type: 'failed', failure: { kind: 'auth', text } }
    },
  }
}

/** True for the model of `noModel`. */
export function isNoModel(model: Pick<ChatModel, 'name'>): boolean {
  return model.name === 'none/none'
}

/** The registry and the settings that a model is opened with, and the effects of its calls, which can be replaced. */
export type OpenModelDeps = {
  readonly registry: Registry
  readonly providers?: ProvidersSettings
  readonly env: Environment
  readonly retry?: Partial<RetryLimits>
  readonly patience?: Partial<Patience>
  readonly fetch?: typeof globalThis.fetch
  readonly clock?: () => number
  readonly random?: () => number
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Sees every call of the models that are opened. */
  readonly meter?: CallMeter
}

/** Counts the calls of models, and can refuse them. */
export type CallMeter = {
  /** One line if no further call is allowed now. */
  readonly refusal: () => string | undefined
  readonly count: (usage: Usage, prices: Prices | undefined) => void
}

/** A model that cannot be used now. `text` is one line that says what to set. */
export type UnusableModel = {
  readonly unusable: 'unknown-model' | 'unknown-provider' | 'no-address' | 'no-key'
  readonly name: string
  readonly text: string
}

/** The model that a user named, or why it cannot be used. Nothing is loaded or sent before the first call. */
export function openModel(name: string, deps: OpenModelDeps): ChatModel | UnusableModel {
  const info = infoOf(name, deps)
  if ('unusable' in info) return info
  const endpoint = endpointOf(info.provider, deps.providers ?? {}, deps.env)
  if ('missing' in endpoint) {
    return { unusable: REASONS[endpoint.missing], name: modelName(info), text: endpoint.text }
  }
  return chatModel(info, endpoint, deps)
}

const REASONS = { provider: 'unknown-provider', 'base-url': 'no-address', key: 'no-key' } as const

// A model on this machine may need minutes to read a long prompt, and so may a busy provider.
const PATIENCE: Patience = { silenceMs: 120_000, firstByteMs: 300_000 }

function chatModel(info: ModelInfo, endpoint: Endpoint, deps: OpenModelDeps): ChatModel {
  const fetch = watchedFetch(deps.fetch ?? globalThis.fetch)
  const name = modelName(info)
  /** The longest answer, if it is known only from a refusal. */
  let learnedOutput = Number.POSITIVE_INFINITY
  let model: Promise<LanguageModel> | undefined
  const streamDeps = {
    endpoint,
    info: () =>
      learnedOutput < (info.maxOutput ?? Number.POSITIVE_INFINITY) ? { ...info, maxOutput: learnedOutput } : info,
    learn: (maxOutput: number) => {
      learnedOutput = maxOutput
    },
    // Created once, because the SDK's model builds the schemas of its answers, which takes longer than a small request.
    model: () => {
      model ??= languageModel(endpoint, info.model, fetch)
      return model
    },
    reportedTypes: new Set<string>(),
    patience: { ...PATIENCE, ...deps.patience },
    limits: { ...RETRY_LIMITS, ...deps.retry },
    clock: deps.clock ?? Date.now,
    random: deps.random ?? Math.random,
    sleep: deps.sleep ?? sleep,
  }
  return {
    name,
    get info() {
      return streamDeps.info()
    },
    cacheLifetimeMs: cacheLifetimeMs(endpoint),
    retries: () => new Retries(streamDeps),
    stream: (call) => {
      const stream = () => streamCall(call, streamDeps)
      return deps.meter === undefined ? stream() : meteredStream(stream, deps.meter, info.prices)
    },
  }
}

async function* meteredStream(
  stream: () => AsyncIterable<ModelEvent>,
  meter: CallMeter,
  prices: Prices | undefined,
): AsyncGenerator<ModelEvent, void> {
  const text = meter.refusal()
  if (text !== undefined) return yield { type: 'failed', failure: { kind: 'auth', text } }
  for await (const event of stream()) {
    if ('usage' in event && event.usage !== undefined) meter.count(event.usage, prices)
    yield event
  }
}

function infoOf(name: string, { registry }: OpenModelDeps): ModelInfo | UnusableModel {
  try {
    return resolveModel(registry, name)
  } catch (error) {
    if (!(error instanceof PithError)) throw error
    return { unusable: 'unknown-model', name, text: error.message }
  }
}

/** The model that takes over when another cannot be reached; undefined if none is named, or it cannot be used. */
export function fallbackModel(name: string | undefined, deps: OpenModelDeps): ChatModel | undefined {
  const opened = name === undefined ? undefined : openModel(name, deps)
  return opened === undefined || 'unusable' in opened ? undefined : opened
}
