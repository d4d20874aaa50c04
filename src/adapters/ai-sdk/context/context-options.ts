import type { LanguageModel } from 'ai'
import type { CompactInput } from '../../../engine/compact/compact.ts'
import type { Context } from '../../../engine/context/context.ts'
import { windowUnknown } from '../../../engine/report/window-unknown.ts'
import type { CompactEvent, SkipReason } from '../../../model/compact-result.ts'
import type { Policy, PolicyPatch } from '../../../model/policy/policy.ts'
import type { OptionNames } from '../../../model/problems/problem-text.ts'
import type { ModelInfo, SummaryModel } from '../../../model/provider/model-info.ts'

/** The options that `contextManager`, `compactionMiddleware` and `createSession` share. */
export type ContextOptions = {
  /** The context window in tokens. Without it, that of `model`, else of the SDK's model, is looked up by its name. */
  readonly window?: number
  /** Facts about the model, or its name in the registry: `anthropic/claude-sonnet-4-5`. */
  readonly model?: string | Partial<ModelInfo>
  readonly policy?: PolicyPatch
  /** The models that may write the summaries, the preferred one first. If absent, the model of the call; with an empty list they are digests. */
  readonly summaryModels?: readonly (LanguageModel | SummaryModel)[]
  /** @deprecated The former word for `summaryModels`, which goes before it: one model, or `false` for an empty list. */
  readonly summaryModel?: LanguageModel | SummaryModel | false
  /** Ends a summary that is being written, and with it the step that waits for it. From a run's second step on its own signal does too. */
  readonly signal?: AbortSignal
  readonly onEvent?: (event: ContextEvent) => void
  /** How many conversations are remembered at once. Default 256. */
  readonly remember?: number
  /** What `state()` of an earlier manager returned for a conversation. One that belongs to other messages is left aside. */
  readonly state?: unknown
} & Pick<CompactInput, 'cutRules' | 'facts' | 'estimator' | 'callSignal' | 'focus'>

/** Their names. */
export const CONTEXT_OPTIONS: OptionNames<ContextOptions> = {
  window: true,
  model: true,
  policy: true,
  summaryModels: true,
  summaryModel: true,
  signal: true,
  onEvent: true,
  remember: true,
  state: true,
  cutRules: true,
  facts: true,
  estimator: true,
  callSignal: true,
  focus: true,
}

/** A change of the context. Every reduction ends in a `done`, with the tokens before and after it. */
export type ContextEvent =
  | CompactEvent
  /** The provider refused a request as too large; it is compacted and sent again. */
  | { readonly type: 'overflow'; readonly attempt: number; readonly tokens?: number; readonly limit?: number }
  /** The provider reported a count that cannot be one of what was sent: the estimate counts instead. */
  | { readonly type: 'doubt'; readonly reported: number; readonly tokens: number }
  /** Something is not as you think. Without a listener it is printed, once. */
  | { readonly type: 'warning'; readonly about: 'state' | 'window'; readonly text: string }
  /** A compaction was due and did not come about; the context is as it was. */
  | {
      readonly type: 'unchanged'
      readonly outcome: 'skipped' | 'failed' | 'cancelled'
      readonly reason: string
      readonly skip?: SkipReason
    }

/** Nobody can be asked inside of a call: a policy that asks first waits for a compaction by hand. */
export function unattended({ mode }: Policy, patch: PolicyPatch | undefined): PolicyPatch | undefined {
  return mode === 'ask' ? { ...patch, mode: 'off' } : patch
}

const SUMMARY_MS = 3 * 60_000

/** A summariser that hangs has failed: an agent waits behind it. */
export function inTime(): AbortSignal {
  return AbortSignal.timeout(SUMMARY_MS)
}

/** A listener whose errors are its own affair: they end neither a compaction nor the agent's run. */
export function heeded<E>(listener: ((event: E) => void) | undefined): (event: E) => void {
  return (event) => {
    try {
      listener?.(event)
    } catch {
      // The page that showed it may be gone.
    }
  }
}

/** Warns of something once. Where nobody listens it is printed. */
export function warner(listener: ContextOptions['onEvent']): (about: 'state' | 'window', text: string) => void {
  const told = new Set<string>()
  return (about, text) => {
    if (told.has(text)) return
    told.add(text)
    if (listener === undefined) console.warn(`pith: ${text}`)
    else heeded(listener)({ type: 'warning', about, text })
  }
}

/** Warns where nobody can tell how full the context of a model is. */
export function warnOfWindow(
  warn: ReturnType<typeof warner>,
  { model: { contextWindow, provider, model }, policy }: Pick<Context, 'model' | 'policy'>,
): void {
  if (contextWindow !== undefined || policy.mode === 'off') return
  warn('window', windowUnknown([provider, model].filter((part) => part !== undefined).join('/')))
}
