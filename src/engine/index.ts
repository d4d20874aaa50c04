export type { Change, Entry, EntryDraft, EntryOf, Reason } from '../model/entry.ts'
export { entrySchema, parseEntry } from '../model/entry.ts'
export { type ErrorCode, PithError } from '../model/errors.ts'
export type { Fixed, ToolSchema } from '../model/fixed.ts'
export type { EntryId, Seq } from '../model/ids.ts'
export {
  type CommandFact,
  type ConstraintFact,
  type ErrorFact,
  emptyIndex,
  type FileFact,
  type IdentifierFact,
  type Index,
  type IndexDelta,
  mergeIndexes,
  type TodoFact,
  todosOf,
  type UserFact,
} from '../model/log-index.ts'
export type { Message, Part } from '../model/message.ts'
export { messageSchema, parseMessage } from '../model/message-schema.ts'
export { type ModelInfo, modelName, type Prices, type Tier } from '../model/model-info.ts'
export {
  type Policy,
  type PolicyPatch,
  type Preset,
  parsePolicyConfig,
  parsePolicyPatch,
  policySchema,
  type Rung,
} from '../model/policy.ts'
export { PRESETS, policyOf } from '../model/presets.ts'
export type { ModelChunk, SummaryModel, SummaryRequest, WarmModel } from '../model/summary-model.ts'
export type { Todo } from '../model/todo.ts'
export type { Usage } from '../model/usage.ts'
export { type Item, type MessageItem, messagesOf, type SummaryItem, type View } from '../model/view.ts'
export { type Budget, budgetOf, exceedsReserve } from '../tokens/budget.ts'
export { type Calibration, calibrate, calibrated, UNCALIBRATED } from '../tokens/calibrate.ts'
export { costOf } from '../tokens/cost.ts'
export { itemTokens, messagesTokens } from '../tokens/count.ts'
export { charactersByFour, type Estimator, fixedTokens, messageTokens } from '../tokens/estimate.ts'
export { featureEstimator } from '../tokens/feature-estimator.ts'
export { gauge, type Level, percentText, type Status, type StatusInput, status } from '../tokens/status.ts'
export { acceptAnswer, acceptContext, type Refusal } from './accept.ts'
export { undoTargets } from './activity.ts'
export { stripAnalysis } from './analysis.ts'
export {
  type Breaker,
  type BreakerState,
  breakerOf,
  breakerState,
  closedBreaker,
  recordFailure,
  recordSuccess,
} from './breaker.ts'
export { calibrationOf } from './calibration.ts'
export { chunk } from './chunk.ts'
export { type CompactEvent, type CompactInput, compact } from './compact.ts'
export { compactMessages } from './compact-messages.ts'
export type { CompactResult } from './compact-result.ts'
export { CUT_RULES, type CutRule, legalCuts } from './cuts.ts'
export { type DigestInput, digest } from './digest.ts'
export { type ErrorState, errorState, openErrors } from './error-state.ts'
export { estimate } from './estimate.ts'
export { estimatorOf } from './estimator-of.ts'
export { filesOf, pathsOf } from './files.ts'
export { type FitOptions, type Fitted, fit } from './fit.ts'
export { indexDelta } from './index-delta.ts'
export { type InspectInput, type Inspection, inspectLog as inspect } from './inspect/inspect-log.ts'
export { appended, logOf, nextEntry } from './log.ts'
export { type Masked, type MaskOptions, mask } from './mask.ts'
export { type MaskInput, type MaskPlan, maskPlan } from './mask-plan.ts'
export type { FactFinder } from './own-facts.ts'
export { type CompactPlan, type Plan, type PlanInput, plan } from './plan.ts'
export { type PreviewResult, preview } from './preview.ts'
export type { PromptSet } from './prompts/prompt-set.ts'
export { promptsOf } from './prompts/prompts-of.ts'
export { type IndexBudget, renderIndex } from './render-index.ts'
export { repairsFor } from './repair.ts'
export { type MeasuredLog, measureLog } from './replay/measured-log.ts'
export {
  type Replay,
  type ReplayedCompaction,
  type ReplayedRequest,
  type ReplayInput,
  replay,
} from './replay/replay.ts'
export { type ReplayTotals, replayTotals } from './replay/replay-totals.ts'
export { type TriedTrigger, tryTriggers } from './replay/triggers.ts'
export { type Request, requestOf } from './request.ts'
export { cutText, serialize, serializeAll } from './serialize.ts'
export { type SkipReason, skipText } from './skip.ts'
export { type SqueezePlan, squeezePlan } from './squeeze-plan.ts'
export { statusOf } from './status-of.ts'
export { type ToolFact, toolFacts, toolFactsWithResult } from './tools/tool-facts.ts'
export { TOOL_TABLE, type ToolRow, type ToolTable, withTools } from './tools/tool-table.ts'
export { type Problem, type Rule, validate } from './validate.ts'
export { type Verification, type VerifySource, verify } from './verify.ts'
export { extendView, viewOf } from './view.ts'
