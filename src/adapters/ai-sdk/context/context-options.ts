import type { LanguageModel } from 'ai'
import type { CompactInput } from '../../../engine/compact/compact.ts'
import type { Context } from '../../../engine/context/context.ts'
import { windowUnknown } from '../../../engine/report/status-text.ts'
import type { CompactEvent, SkipReason } from '../../../model/compact-result.ts'
import type { Policy, PolicyPatch } from '../../../model/policy/policy.ts'
import type { OptionNames } from '../../../model/problems/problem-text.ts'
import type { ModelInfo, SummaryModel } from '../../../model/types.ts'
import { safeListener } from '../../shared/safe-listener.ts'

/** The options that `contextManager`, `compactionMiddleware` and `createSession` share. */
export type ContextOptions = {
  /** The context window in tokens. If absent, it is looked up by the name of `model`, or else of the SDK's model. */
  readonly window?: number
  /** Facts about the model, or its name in the registry: `anthropic/claude-sonnet-4-5`. */
  readonly model?: string | Partial<ModelInfo>
  readonly policy?: PolicyPatch
  /** The models that may write the summaries, the preferred one first. If absent, the model of the call writes them. With an empty list, summaries are digests. */
  readonly summaryModels?: readonly (LanguageModel | SummaryModel)[]
  /** @deprecated The former name of `summaryModels`, which takes precedence: one model, or `false` for an empty list. */
  readonly summaryModel?: LanguageModel | SummaryModel | false
  /** Aborts a summary that is being written, and with it the step that waits for it. From its second step on, a run's own signal does so too. */
  readonly signal?: AbortSignal
  readonly onEvent?: (event: ContextEvent) => void
  /** How many conversations are remembered at once. Default 256. */
  readonly remember?: number
  /** The result of `state()` of an earlier manager. A state that belongs to other messages is ignored. */
  readonly state?: unknown
} & Pick<CompactInput, 'cutRules' | 'facts' | 'estimator' | 'callSignal' | 'focus'>

/** The names of the options, to refuse unknown ones. */
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
  /** The provider refused a request as too large. The request is compacted and sent again. */
  | { readonly type: 'overflow'; readonly attempt: number; readonly tokens?: number; readonly limit?: number }
  /** The provider reported a count that cannot be right for what was sent. Our estimate is used instead. */
  | { readonly type: 'doubt'; readonly reported: number; readonly tokens: number }
  /** Something does not work as the options suggest. Without a listener, the warning is printed once. */
  | { readonly type: 'warning'; readonly about: 'state' | 'window'; readonly text: string }
  /** A compaction was due but did not happen. The context is unchanged. */
  | {
      readonly type: 'unchanged'
      readonly outcome: 'skipped' | 'failed' | 'cancelled'
      readonly reason: string
      readonly skip?: SkipReason
    }

/** Nobody can be asked during a call, so a policy with mode `ask` compacts only on request. */
export function unattended({ mode }: Policy, patch: PolicyPatch | undefined): PolicyPatch | undefined {
  return mode === 'ask' ? { ...patch, mode: 'off' } : patch
}

const SUMMARY_MS = 3 * 60_000

/** The time limit of a summary: an agent waits for it, so a model that hangs counts as failed. */
export function summaryTimeout(): AbortSignal {
  return AbortSignal.timeout(SUMMARY_MS)
}

/** Sends each warning once. Without a listener, it is printed. */
export function warner(listener: ContextOptions['onEvent']): (about: 'state' | 'window', text: string) => void {
  const warned = new Set<string>()
  return (about, text) => {
    if (warned.has(text)) return
    warned.add(text)
    if (listener === undefined) console.warn(`pith: ${text}`)
    else safeListener(listener)({ type: 'warning', about, text })
  }
}

/** Warns if the window of a model is unknown, so that nobody can say how full its context is. */
export function warnOfWindow(
  warn: ReturnType<typeof warner>,
  { model: { contextWindow, provider, model }, policy }: Pick<Context, 'model' | 'policy'>,
): void {
  if (contextWindow !== undefined || policy.mode === 'off') return
  warn('window', windowUnknown([provider, model].filter((part) => part !== undefined).join('/')))
}
