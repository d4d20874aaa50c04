import type { Fields } from '../../formats/shared/json.ts'
import type { RECALL_SCHEMA } from '../shared/recall-schema.ts'

/** The name of our text in pi's footer. */
export const STATUS_KEY = 'pith'

/** The part of pi's interface for extensions that we use. Seen on 0.87.1. */
export type PiApi = {
  on(event: 'session_start' | 'model_select', handler: (event: unknown, context: PiContext) => void): void
  on(
    event: 'session_before_compact',
    handler: (event: PiCompactionEvent, context: PiContext) => Promise<PiCompactionAnswer | undefined>,
  ): void
  on(event: 'session_compact', handler: (event: PiCompactedEvent, context: PiContext) => void): void
  on(
    event: 'context',
    handler: (event: PiContextEvent, context: PiContext) => Promise<PiContextEvent | undefined>,
  ): void
  on(
    event: 'before_agent_start',
    handler: (event: unknown, context: PiContext) => Promise<{ readonly message: PiCustomMessage } | undefined>,
  ): void
  registerTool(tool: PiTool): void
  /** Stores data in the session that is not sent to a model. */
  appendEntry(type: string, data: unknown): void
  getActiveTools(): readonly string[]
  getAllTools(): readonly PiToolInfo[]
}

/** A message that pi keeps in the session and sends to the model. */
type PiCustomMessage = { readonly customType: string; readonly content: string; readonly display: boolean }

export type PiContext = {
  readonly cwd: string
  readonly hasUI: boolean
  readonly ui: {
    setStatus(key: string, text: string | undefined): void
    notify(message: string, type?: 'info' | 'warning' | 'error'): void
  }
  readonly sessionManager: { getSessionId(): string; getBranch(): readonly Fields[] }
  readonly modelRegistry: PiModels
  readonly model: PiModel | undefined
  getContextUsage(): { readonly tokens: number | null } | undefined
  getSystemPrompt(): string
}

export type PiModel = {
  readonly id: string
  readonly provider: string
  readonly contextWindow?: number
  readonly maxTokens?: number
  /** US dollars per million tokens. */
  readonly cost?: {
    readonly input: number
    readonly output: number
    readonly cacheRead: number
    readonly cacheWrite: number
  }
}

export type PiModels = {
  find(provider: string, id: string): PiModel | undefined
  streamSimple(
    model: PiModel,
    request: { readonly systemPrompt?: string; readonly messages: readonly PiMessage[] },
    options: { readonly signal: AbortSignal; readonly maxTokens?: number; readonly cacheRetention: 'none' },
  ): AsyncIterable<PiModelEvent>
}

export type PiModelEvent =
  | { readonly type: 'text_delta'; readonly delta: string }
  | { readonly type: 'done'; readonly reason: string; readonly message: { readonly usage: PiUsage } }
  | { readonly type: 'error'; readonly error: { readonly errorMessage?: string } }
  | { readonly type: 'start' | 'text_start' | 'text_end' | 'thinking_start' | 'thinking_delta' | 'thinking_end' }

export type PiUsage = {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly totalTokens: number
  readonly cost: Readonly<Record<'input' | 'output' | 'cacheRead' | 'cacheWrite' | 'total', number>>
}

/** A message of pi; those of tools have `toolCallId` and `content`. */
export type PiMessage = Fields & { readonly role: string }

export type PiContextEvent = { readonly messages: readonly PiMessage[] }

export type PiCompactionEvent = {
  readonly preparation: {
    readonly tokensBefore: number
    readonly settings: { readonly keepRecentTokens: number }
  }
  readonly branchEntries: readonly Fields[]
  readonly customInstructions?: string
  readonly reason: 'manual' | 'threshold' | 'overflow'
  readonly signal: AbortSignal
}

export type PiCompactionAnswer = { readonly cancel: true } | { readonly compaction: PiCompaction }

export type PiCompaction = {
  readonly summary: string
  /** Null keeps nothing except the summary. */
  readonly firstKeptEntryId: string | null
  readonly tokensBefore: number
  readonly usage?: PiUsage
  readonly details: Fields
}

type PiCompactedEvent = { readonly fromExtension: boolean }

type PiToolInfo = { readonly name: string; readonly description?: string; readonly parameters?: unknown }

export type PiTool = {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly promptSnippet: string
  readonly parameters: typeof RECALL_SCHEMA
  readonly execute: (
    id: string,
    input: unknown,
    signal: AbortSignal | undefined,
    onUpdate: unknown,
    context: PiContext,
  ) => Promise<{
    readonly content: readonly [{ readonly type: 'text'; readonly text: string }]
    readonly details: undefined
  }>
}
