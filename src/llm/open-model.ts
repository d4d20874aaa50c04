import { transcode } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { ProvidersSettings } from '../config/tables/provider-settings.ts'
import { writePrivate } from '../config/write/write-private.ts'
import { PithError } from '../model/problems/errors.ts'
import { type ModelInfo, modelName, NO_PROVIDER } from '../model/types.ts'
import { type Registry, resolveModel } from '../models/registry.ts'
import { cacheLifetimeMs } from './call/call-options.ts'
import { type ChatModel, RETRY_LIMITS, Retries, type RetryLimits } from './call/chat-model.ts'
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
  /** Limits that were learned from earlier refusals. If absent, they are learned again. */
  readonly learned?: LearnedLimits
  readonly retry?: Partial<RetryLimits>
  readonly patience?: Partial<Patience>
  readonly fetch?: typeof globalThis.fetch
  readonly clock?: () => number
  readonly random?: () => number
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
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
  const fetch = watchedFetch(deps.fetch ?? fetchBytes)
  const name = modelName(info)
  const learned = deps.learned ?? new LearnedLimits()
  let model: Promise<LanguageModel> | undefined
  const streamDeps = {
    endpoint,
    info: () => learned.applied(name, info),
    learn: (limits: { maxOutput: number }) => learned.learn(name, limits),
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
    stream: (call) => streamCall(call, streamDeps),
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

/**
 * The platform's fetch, with the text of a request already encoded. The fetch itself takes six times as long to encode it, and
 * the text of a summary request has megabytes.
 */
const fetchBytes: typeof globalThis.fetch = (input, init) =>
  globalThis.fetch(input, typeof init?.body === 'string' ? { ...init, body: bytesOf(init.body) } : init)

/** The text is encoded in pieces of this many characters, because each piece is copied twice on the way. */
const PIECE = 1 << 20

/** A text in UTF-8. */
export function bytesOf(text: string, piece = PIECE): Uint8Array {
  const pieces: Uint8Array[] = []
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = Math.min(start + piece, text.length)
    // A surrogate pair stays together.
    while (end < text.length && isFirstHalf(text.charCodeAt(end - 1))) end++
    pieces.push(pieceOf(text.slice(start, end)))
  }
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces)
}

function pieceOf(text: string): Uint8Array {
  try {
    return transcode(Buffer.from(text, 'utf16le'), 'utf16le', 'utf8')
  } catch {
    // The text has a lone surrogate, which becomes U+FFFD.
    return new TextEncoder().encode(text)
  }
}

function isFirstHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

const limitsSchema = z.object({ maxOutput: z.number().int().positive().optional() })
const fileSchema = z.record(z.string(), limitsSchema)

/** The limits of a model that were learned from refusals of its provider. */
type Limits = z.infer<typeof limitsSchema>

/** Limits of models that are known only from refusals. They are stored in a file, so that each is learned once. */
export class LearnedLimits {
  readonly #path: string | undefined
  #models: Map<string, Limits> | undefined

  /** Without a folder, they are forgotten at the end of the process. */
  constructor(folder?: string) {
    this.#path = folder === undefined ? undefined : join(folder, 'learned-limits.json')
  }

  /** The facts about a model, with its learned limits. */
  applied(name: string, info: ModelInfo): ModelInfo {
    const { maxOutput } = this.#known.get(name) ?? {}
    if (maxOutput === undefined || maxOutput >= (info.maxOutput ?? Number.POSITIVE_INFINITY)) return info
    return { ...info, maxOutput }
  }

  /** Learns a limit. If it cannot be written, the next process learns it again. */
  learn(name: string, limits: Limits): void {
    if (this.#known.get(name)?.maxOutput === limits.maxOutput) return
    // Read the file again, because another process may have learned a limit since.
    this.#models = new Map([...this.#known, ...this.#read(), [name, limits]])
    try {
      if (this.#path !== undefined) writePrivate(this.#path, JSON.stringify(Object.fromEntries(this.#models), null, 1))
    } catch {}
  }

  get #known(): ReadonlyMap<string, Limits> {
    this.#models ??= this.#read()
    return this.#models
  }

  #read(): Map<string, Limits> {
    if (this.#path === undefined) return new Map()
    try {
      return new Map(Object.entries(fileSchema.parse(JSON.parse(readFileSync(this.#path, 'utf8')))))
    } catch {
      return new Map()
    }
  }
}

/** The model that takes over when another cannot be reached; undefined if none is named, or it cannot be used. */
export function fallbackModel(name: string | undefined, deps: OpenModelDeps): ChatModel | undefined {
  const opened = name === undefined ? undefined : openModel(name, deps)
  return opened === undefined || 'unusable' in opened ? undefined : opened
}
