import { z } from 'zod'
import type { Settings } from '../config/tables/settings.ts'
import type { PreviewResult } from '../engine/compact/preview.ts'
import { type Context, statusIn, withView } from '../engine/context/context.ts'
import type { ChatModel } from '../llm/call/chat-model.ts'
import type { Fixed, JsonValue, Message, ToolSchema, UserMessage } from '../model/message/message.ts'
import type { Policy, PolicyPatch } from '../model/policy/policy.ts'
import type { ReasoningLevel } from '../model/policy/reasoning-level.ts'
import type { ModelInfo, SummaryModel } from '../model/provider/model-info.ts'
import type { View } from '../model/view.ts'
import type { PreparedCompaction } from '../session/compaction/prepared-compaction.ts'
import type { LiveSession } from '../session/live-session.ts'
import { sessionPolicy, sessionSettings } from '../session/session-context.ts'
import type { Budget } from '../tokens/budget.ts'
import { messagesTokens } from '../tokens/count.ts'
import type { Status } from '../tokens/status.ts'
import { unreadOf } from '../tokens/unread.ts'
import type { AgentEvent } from './events.ts'
import type { FileKeeper } from './file-keeper.ts'
import type { FixedParts } from './fixed/fixed-parts.ts'
import { lateChanges } from './fixed/late-changes.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import type { PermissionRequest, Tool } from './tool.ts'

/** The user's answer when a compaction asks first. */
export type CompactionAnswer =
  | { readonly kind: 'compact'; readonly focus?: string }
  | { readonly kind: 'later' | 'off' }

/** Whether a call may do what it wants to; a refusal gives the model the reason. `said`: the user's own words in it. */
export type Permit = { readonly ok: true } | { readonly ok: false; readonly reason: string; readonly said?: string }

/** Everything an agent touches arrives here. */
export type AgentDeps = {
  readonly workspace: string
  readonly tools: readonly Tool[]
  readonly fixed: FixedParts
  /** The settings of the configuration; the session's own come over them. */
  readonly policy: PolicyPatch
  readonly stepLimit: number
  readonly reasoning?: Settings['reasoning']
  /** The model that takes over when the session's own cannot be reached; undefined when it cannot be used. */
  readonly fallback?: () => ChatModel | undefined
  /** The wall around commands, where the system has one and the user wants it. */
  readonly sandbox?: Sandbox
  /** Environment of commands, without the keys of providers. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly permit: (request: PermissionRequest, toolCallId: string, signal: AbortSignal) => Promise<Permit>
  readonly mayRead?: (path: string) => boolean
  /** Keeps files before calls change them; without it they cannot be set back. */
  readonly keeper?: FileKeeper
  /** Asks before an automatic compaction; without it nobody can be asked. */
  readonly askCompaction?: (preview: PreviewResult, signal: AbortSignal) => Promise<CompactionAnswer>
  /** The models that may write summaries under a policy, the preferred one first. */
  readonly summaryModels: (policy: Policy, main: ChatModel) => readonly SummaryModel[]
  readonly hooks?: Settings['hooks']
  readonly holder: string
  readonly clock: () => number
  readonly onEvent: (event: AgentEvent) => void
}

/** In a smaller window the tools are told in few words: the whole would take a quarter of 8,000 tokens. */
const SMALL_WINDOW = 16_000

/** An agent at work in a session: what it was given, and the little that changes while it runs. */
export class Agent {
  readonly deps: AgentDeps
  readonly live: LiveSession
  model: ChatModel
  /** The window that the provider itself named, where the registry says more or nothing. */
  learnedWindow: number | undefined
  /** When the provider last saw the conversation as it is, and how many messages that request had. */
  lastCall: { readonly at: number; readonly sentMessages: number } | undefined
  /** The user wants to hear of it again only when the context has grown past this. */
  postponedUntil: number | undefined
  /** The next compaction, made ahead while the agent goes on. */
  prepared: PreparedCompaction | undefined
  /** What the user said while a turn runs. The model gets it with its next request. A text brings the files that it names. */
  readonly steering: (string | UserMessage)[] = []
  /** The provider's last report cannot be right. */
  isDoubting = false
  /** The user was told that a message of theirs has a secret. */
  hasToldSecret = false
  #tools: readonly Tool[]
  #schemas: readonly ToolSchema[]
  #shortSchemas: readonly ToolSchema[]

  constructor(deps: AgentDeps, live: LiveSession, model: ChatModel, schemas: readonly ToolSchema[]) {
    this.deps = deps
    this.live = live
    this.model = model
    this.#tools = deps.tools
    this.#schemas = schemas
    this.#shortSchemas = inFewWords(schemas)
  }

  get tools(): readonly Tool[] {
    return this.#tools
  }

  get toolSchemas(): readonly ToolSchema[] {
    return this.#schemas
  }

  /** Changes the tools. The provider's cache is keyed on them, so nothing is touched where they stay the same. */
  setTools(tools: readonly Tool[]): void {
    if (tools.length === this.#tools.length && tools.every((tool, i) => tool === this.#tools[i])) return
    this.#tools = tools
    this.#schemas = toolSchemas(tools)
    this.#shortSchemas = inFewWords(this.#schemas)
  }

  emit(event: AgentEvent): void {
    this.deps.onEvent(event)
  }

  get policyPatch(): PolicyPatch {
    return sessionPolicy(this.live.log, this.deps.policy)
  }

  get policy(): Policy {
    return this.context().policy
  }

  get info(): ModelInfo {
    const { info } = this.model
    const window = this.learnedWindow
    if (window === undefined || window >= (info.contextWindow ?? Number.POSITIVE_INFINITY)) return info
    return { ...info, contextWindow: window }
  }

  /** How much the model is to think: as the user said in this session, else as configured; undefined as the provider has it. */
  get reasoning(): ReasoningLevel | undefined {
    const { reasoning: configured } = this.deps
    const { name } = this.model
    const chosen = sessionSettings(this.live.log).reasoning.get(name)
    if (chosen !== undefined) return chosen === 'auto' ? undefined : chosen
    return typeof configured === 'object' ? configured[name] : configured
  }

  /** The tools as the model is told of them. */
  get toldTools(): readonly ToolSchema[] {
    const { contextWindow = SMALL_WINDOW } = this.info
    return contextWindow < SMALL_WINDOW ? this.#shortSchemas : this.toolSchemas
  }

  /** The parts in front of the view in every request. `compacted`: as their files will read after a compaction. */
  fixed(when: 'now' | 'compacted' = 'now'): Fixed {
    const { fixed } = this.deps
    return { ...(when === 'now' ? fixed.current() : fixed.renewed()), tools: this.toldTools }
  }

  /** Messages that the next request carries though the log does not, and that the provider has not counted yet. */
  get pending(): readonly Message[] {
    return lateChanges(this.live.view, this.deps.fixed.changes, this.model.name)
  }

  /** All that follows from the session's log, as its policy, its model and the parts in front of the view have it now. */
  context(info: ModelInfo = this.info): Context {
    return this.live.context({ policy: this.policyPatch, model: info, fixed: this.fixed() })
  }

  /** The policy in tokens, for this model or another one. */
  budget(info: ModelInfo = this.info): Budget {
    return this.context(info).budget
  }

  /** How full the context is: the one number. With another view: how full it would be. */
  status(view: View = this.live.view): Status {
    return statusIn(withView(this.context(), view), this.pending)
  }

  /** The tokens of the status that the trigger compares: all of them, less the unread where the policy spares it. */
  readTokens(): number {
    const context = this.context()
    const { tokens } = statusIn(context, this.pending)
    if (!context.policy.fitTarget) return tokens
    return tokens - unreadOf(context.sizes, messagesTokens(this.pending, context.estimator)).tokens
  }
}

/** The tools as they are declared to the model, the same in every request. */
export function toolSchemas(tools: readonly Tool[]): ToolSchema[] {
  return tools.map(({ name, description, input, inputSchema }) => {
    if (inputSchema !== undefined) return { name, description, inputSchema }
    const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' })
    return { name, description, inputSchema: schema as JsonValue }
  })
}

/** The same in few words, for a window of which the whole would take much: what each is for, and its arguments. */
export function inFewWords(tools: readonly ToolSchema[]): ToolSchema[] {
  return tools.map((tool) => ({ ...tool, description: tool.description?.split('\n\n')[0] }))
}
