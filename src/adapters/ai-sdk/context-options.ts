import type { LanguageModel } from 'ai'
import type { CompactEvent, CompactInput } from '../../engine/compact.ts'
import type { SkipReason } from '../../engine/skip.ts'
import type { ModelInfo } from '../../model/model-info.ts'
import type { PolicyPatch } from '../../model/policy.ts'
import type { SummaryModel } from '../../model/summary-model.ts'

export type ContextOptions = {
  /** The context window in tokens. Without it, that of `model`, else of the SDK's model, is looked up by its name. */
  readonly window?: number
  /** What is known of the model, or its name in the registry: `anthropic/claude-sonnet-4-5`. */
  readonly model?: string | Partial<ModelInfo>
  readonly policy?: PolicyPatch
  /** Who writes the summaries: the model of the call if absent, nobody if `false` (then they are digests). */
  readonly summaryModel?: LanguageModel | SummaryModel | false
  readonly onEvent?: (event: ContextEvent) => void
  /** How many conversations are remembered at once. Default 256. */
  readonly remember?: number
} & Pick<CompactInput, 'cutRules' | 'facts' | 'estimator' | 'callSignal' | 'focus'>

/** What is done to the context. Every reduction ends in a `done`, with the tokens before and after it. */
export type ContextEvent =
  | CompactEvent
  /** The provider refused a request as too large; it is compacted and sent again. */
  | { readonly type: 'overflow'; readonly attempt: number; readonly tokens?: number; readonly limit?: number }
  /** A compaction was due and did not come about; the context is as it was. */
  | {
      readonly type: 'unchanged'
      readonly outcome: 'skipped' | 'failed' | 'cancelled'
      readonly reason: string
      readonly skip?: SkipReason
    }
