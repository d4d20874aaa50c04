import { z } from 'zod'
import type { Settings } from '../config/tables/settings.ts'
import type { PreviewResult } from '../engine/compact/preview.ts'
import { type Context, statusIn, withView } from '../engine/context/context.ts'
import type { ChatModel } from '../llm/call/chat-model.ts'
import type { ModelFailure } from '../llm/failure/model-failure.ts'
import type { CompactEvent, UnchangedContext } from '../model/compact-result.ts'
import type { Policy, PolicyPatch } from '../model/policy/policy.ts'
import type { ReasoningLevel } from '../model/policy/policy-schema.ts'
import { policyOf } from '../model/policy/presets.ts'
import type {
  Entry,
  EntryDraft,
  Fixed,
  JsonValue,
  Message,
  ModelInfo,
  SeenFile,
  Seq,
  SummaryModel,
  ToolSchema,
  Usage,
  UserMessage,
  View,
} from '../model/types.ts'
import type { SessionCompactResult } from '../session/compaction/compact-session.ts'
import type { PreparedCompaction } from '../session/compaction/prepared-compaction.ts'
import type { LiveSession } from '../session/live-session.ts'
import { allowsModelRequests } from '../session/model-requests.ts'
import { sessionPolicy, sessionSettings } from '../session/open-session.ts'
import type { Budget } from '../tokens/budget.ts'
import { messagesTokens } from '../tokens/estimate/estimator.ts'
import { unreadOf } from '../tokens/sizes.ts'
import type { Status } from '../tokens/status.ts'
import { type FixedParts, lateChanges } from './fixed/fixed-parts.ts'
import type { PromptFile, PromptFiles } from './fixed/prompt-files.ts'
import type { Jobs } from './processes/jobs.ts'
import type { NeverRule, Sandbox } from './sandbox/sandbox.ts'
import type { PermissionRequest, TaskWish, Tool, ToolOutput } from './tool.ts'

/** The user's answer when a compaction asks first. */
export type CompactionAnswer =
  | { readonly kind: 'compact'; readonly focus?: string }
  | { readonly kind: 'later' | 'off' }

/**
 * Whether a call may run. `request`: what is allowed, if it is not exactly what was asked for. The model reads the reason of a
 * refusal. `said`: the user's own words in the reason.
 */
export type Permit =
  | { readonly ok: true; readonly request?: PermissionRequest }
  | { readonly ok: false; readonly reason: string; readonly said?: string }

/** The user's answer to a plan. */
export type PlanAnswer =
  | { readonly kind: 'accepted' | 'refused' }
  /** The user's words on what should be different. */
  | { readonly kind: 'tell'; readonly text: string }

type TaskCall = { readonly toolCallId: string }

/** The effects and settings of an agent. */
export type AgentDeps = {
  readonly workspace: string
  readonly tools: readonly Tool[]
  readonly fixed: FixedParts
  /** The settings of the configuration. The session's own settings take precedence. */
  readonly policy: PolicyPatch
  readonly stepLimit: number
  readonly reasoning?: Settings['reasoning']
  /** The model that takes over when the session's own cannot be reached; undefined if it cannot be used. */
  readonly fallback?: () => ChatModel | undefined
  /** The sandbox of commands, if the system has one and the user wants it. */
  readonly sandbox?: Sandbox
  /** The never rules, which the sandbox keeps for each command. */
  readonly never?: () => readonly NeverRule[]
  /** Environment of commands, without the keys of providers. */
  readonly env: Readonly<Record<string, string>>
  /** The keys of model providers. No result of a tool may contain one. */
  readonly keys?: readonly string[]
  /** `by` is the sub-agent that asks, for the user to see. */
  readonly permit: (request: PermissionRequest, toolCallId: string, signal: AbortSignal, by?: string) => Promise<Permit>
  readonly mayRead?: (path: string) => boolean
  /** The commands and skills that are files, as they are now, and the text of one. */
  readonly prompts?: { readonly files: () => PromptFiles; readonly body: (file: PromptFile) => string | undefined }
  /** Stores files before calls change them. Without it, they cannot be restored. */
  readonly keeper?: FileKeeper
  /** The commands in the background. Without it, no command can go there. */
  readonly jobs?: Jobs
  /** Starts a sub-agent of this agent, and returns its report. A sub-agent has none. */
  readonly runTask?: (agent: Agent, wish: TaskWish & TaskCall, signal: AbortSignal) => Promise<ToolOutput>
  /**
   * Runs a call that may change files or run a command when no other sub-agent does. So the checkpoint of each call has only its
   * own changes. Undefined if the signal fires first.
   */
  readonly alone?: <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T | undefined>
  /** Asks the user before an automatic compaction. Absent if nobody can be asked. */
  readonly askCompaction?: (preview: PreviewResult, signal: AbortSignal) => Promise<CompactionAnswer>
  /** Shows the steps of a plan to the user. Absent if nobody can be asked. */
  readonly askPlan?: (steps: readonly string[], signal: AbortSignal) => Promise<PlanAnswer>
  /** The models that may write summaries under a policy, the preferred one first. */
  readonly summaryModels: (policy: Policy, main: ChatModel) => readonly SummaryModel[]
  readonly hooks?: Settings['hooks']
  readonly holder: string
  readonly clock: () => number
  readonly onEvent: (event: AgentEvent) => void
}

/** In a smaller window, the model gets short descriptions of the tools: the full ones would take a quarter of 8,000 tokens. */
const SMALL_WINDOW = 16_000

/** An agent at work in a session: its dependencies, and the few values that change while it runs. */
export class Agent {
  readonly deps: AgentDeps
  readonly live: LiveSession
  model: ChatModel
  /** The window that we learned from the provider, if the registry has a larger one or none. */
  learnedWindow: number | undefined
  /** The time of the last request since the view changed, and the number of its messages. */
  lastCall: { readonly at: number; readonly sentMessages: number } | undefined
  /** The user put the compaction off: ask again only when the context has this many tokens. */
  postponedUntil: number | undefined
  /** The next compaction, prepared in the background while the agent works. */
  prepared: PreparedCompaction | undefined
  /** Messages of the user during a turn. The model gets them with its next request. A text is sent with the files that it names. */
  readonly steering: (string | UserMessage)[] = []
  /** True if the provider's last report cannot be right. */
  isDoubting = false
  /** True once the user was warned that a message of theirs has a secret. */
  hasWarnedOfSecret = false
  #all: OfferedTools
  /** Those for a policy under which the model must not change its context. */
  #plain: OfferedTools

  constructor(deps: AgentDeps, live: LiveSession, model: ChatModel, schemas: readonly ToolSchema[]) {
    this.deps = deps
    this.live = live
    this.model = model
    this.#all = { tools: deps.tools, schemas }
    this.#plain = withoutContextTools(this.#all)
  }

  get tools(): readonly Tool[] {
    return this.#offered.tools
  }

  get toolSchemas(): readonly ToolSchema[] {
    return this.#offered.schemas
  }

  /** The policy is read without the Context, which needs the tools itself. */
  get #offered(): OfferedTools {
    if (this.#plain.tools.length === this.#all.tools.length) return this.#all
    return allowsModelRequests(policyOf(this.policyPatch)) ? this.#all : this.#plain
  }

  /** Changes the tools. The provider's cache is keyed on them, so equal tools change nothing. */
  setTools(tools: readonly Tool[]): void {
    const known = this.#all.tools
    if (tools.length === known.length && tools.every((tool, i) => tool === known[i])) return
    this.#all = { tools, schemas: toolSchemas(tools) }
    this.#plain = withoutContextTools(this.#all)
  }

  emit(event: AgentEvent): void {
    this.deps.onEvent(event)
  }

  /** Appends to the log, and shows the entries. */
  async append(drafts: readonly EntryDraft[]): Promise<readonly Entry[]> {
    if (drafts.length === 0) return []
    const entries = await this.live.append(drafts)
    for (const entry of entries) this.emit({ type: 'entry', entry })
    return entries
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
    return { ...info, contextWindow: window, windowAssumed: undefined }
  }

  /** True in plan mode: the gate refuses everything that does not only read. */
  get isPlanning(): boolean {
    return sessionSettings(this.live.log).planning
  }

  /** How much the model is to think: the user's choice in this session, or else the configuration. Undefined means the provider's default. */
  get reasoning(): ReasoningLevel | undefined {
    const { reasoning: configured } = this.deps
    const { name } = this.model
    const chosen = sessionSettings(this.live.log).reasoning.get(name)
    if (chosen !== undefined) return chosen === 'auto' ? undefined : chosen
    return typeof configured === 'object' ? configured[name] : configured
  }

  /** The tools as they are sent to the model: with short descriptions in a small window. */
  get sentTools(): readonly ToolSchema[] {
    const { contextWindow = SMALL_WINDOW } = this.info
    return contextWindow < SMALL_WINDOW ? shortSchemas(this.toolSchemas) : this.toolSchemas
  }

  /** The parts before the view in every request. `compacted`: the parts after the next compaction, with changed files read again. */
  fixed(when: 'now' | 'compacted' = 'now'): Fixed {
    const { fixed } = this.deps
    const parts = when === 'now' ? fixed.current() : fixed.renewed()
    return { ...parts, tools: this.sentTools, ...(this.#isCountOfOther() ? { isOfOther: true as const } : {}) }
  }

  /** True in an imported session until an answer here is counted: the last count is of a request by the agent that it comes from. */
  #isCountOfOther(): boolean {
    const last = this.live.log.findLast((entry) =>
      entry.type === 'message' ? entry.usage !== undefined : entry.type === 'settings' && entry.origin !== undefined,
    )
    return last?.type === 'settings'
  }

  /** Messages that are in the next request but not in the log, and that the provider has not counted yet. */
  get pending(): readonly Message[] {
    return lateChanges(this.live.view, this.deps.fixed.changes, this.model.name)
  }

  /** The engine's context of the session, with its current policy, model and fixed parts. */
  context(info: ModelInfo = this.info): Context {
    return this.live.context({ policy: this.policyPatch, model: info, fixed: this.fixed() })
  }

  /** The policy in tokens, for this model or another one. */
  budget(info: ModelInfo = this.info): Budget {
    return this.context(info).budget
  }

  /** How full the context is or, with another view, would be. Everything that shows this number uses this method. */
  status(view: View = this.live.view): Status {
    return statusIn(withView(this.context(), view), this.pending)
  }

  /** The tokens that are compared with the trigger: all, or without the unread ones if the policy spares them. */
  readTokens(): number {
    const context = this.context()
    const { tokens } = statusIn(context, this.pending)
    if (!context.policy.fitTarget) return tokens
    return tokens - unreadOf(context.sizes, messagesTokens(this.pending, context.estimator)).tokens
  }
}

/** Tools with their declarations, in the same order. */
type OfferedTools = { readonly tools: readonly Tool[]; readonly schemas: readonly ToolSchema[] }

function withoutContextTools({ tools, schemas }: OfferedTools): OfferedTools {
  const isPlain = (_: unknown, i: number) => tools[i]?.changesContext !== true
  return { tools: tools.filter(isPlain), schemas: schemas.filter(isPlain) }
}

/** The declarations of the tools for the model. They are the same in every request. */
export function toolSchemas(tools: readonly Tool[]): ToolSchema[] {
  return tools.map(({ name, description, input, inputSchema }) => {
    if (inputSchema !== undefined) return { name, description, inputSchema }
    const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' })
    return { name, description, inputSchema: schema as JsonValue }
  })
}

/** The same with short descriptions, for a small window: the purpose of each tool, and its arguments. */
export function shortSchemas(tools: readonly ToolSchema[]): ToolSchema[] {
  return tools.map((tool) => ({ ...tool, description: tool.description?.split('\n\n')[0] }))
}

export type CheckpointDraft = Extract<EntryDraft, { type: 'checkpoint' }>

/** Stores the state of files before calls change them. It never throws: its entries name the files that it cannot store. */
export type FileKeeper = {
  /** Called when a call may run. Write the draft to the log before the call runs. */
  readonly before: (request: PermissionRequest, toolCallId: string, signal: AbortSignal) => Promise<KeptCall>
}

/** A call whose files are stored. */
export type KeptCall = {
  readonly draft?: CheckpointDraft
  /**
   * Called after the call has run, with the files of its result: returns the changes that could only be seen then, for the log and
   * as facts for the ledger.
   */
  readonly after: (
    written?: readonly SeenFile[],
  ) => Promise<{ readonly draft?: CheckpointDraft; readonly files: readonly SeenFile[] }>
}

/** A call that changes no files. */
export const NOTHING_KEPT: KeptCall = { after: async () => ({ files: [] }) }

/** The end of a turn. `text` is one line for the user, empty if all is well. */
export type TurnEnd = {
  readonly reason: 'done' | 'aborted' | 'failed' | 'refused' | 'step-limit' | 'context-limit'
  readonly text: string
  readonly answer: string
  readonly steps: number
  readonly usage?: Usage
  /** In US dollars, compactions included; absent when a price is not known. */
  readonly cost?: number
}

/** The result of a compaction, or the refusal of a hook. */
export type CompactNowResult = SessionCompactResult | (UnchangedContext & { readonly outcome: 'refused' })

/** The events with which a user interface shows what an agent does. */
export type AgentEvent =
  | { readonly type: 'turn-started' }
  | { readonly type: 'step-started'; readonly step: number }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'tool-input'; readonly toolCallId: string; readonly toolName: string }
  | { readonly type: 'retry'; readonly attempt: number; readonly inMs: number; readonly failure: ModelFailure }
  /** The streamed part of this answer is void: the stream broke off, and the request is sent again. */
  | { readonly type: 'answer-void'; readonly failure: ModelFailure }
  | { readonly type: 'entry'; readonly entry: Entry }
  | {
      readonly type: 'tool-started'
      readonly toolCallId: string
      readonly toolName: string
      readonly input: unknown
      readonly request?: PermissionRequest
    }
  | { readonly type: 'tool-output'; readonly toolCallId: string; readonly text: string }
  | {
      readonly type: 'tool-finished'
      readonly toolCallId: string
      readonly toolName: string
      readonly seq: Seq
      readonly text: string
      readonly isError: boolean
    }
  | { readonly type: 'compaction'; readonly automatic: boolean; readonly event: CompactEvent }
  | { readonly type: 'compaction-ended'; readonly automatic: boolean; readonly result: CompactNowResult }
  /** How full the context is, after each change. */
  | { readonly type: 'status'; readonly status: Status }
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'turn-ended'; readonly end: TurnEnd }
