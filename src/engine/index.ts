export type { CompactEvent } from '../model/compact-event.ts'
export type { CompactedResult, CompactResult, SkipReason, UnchangedResult } from '../model/compact-result.ts'
export type { Entry, EntryDraft, EntryOf, Reason, RepairChange } from '../model/entry.ts'
export { entrySchema, parseEntry } from '../model/entry.ts'
export {
  type CommandFact,
  type ConstraintFact,
  type ErrorFact,
  emptyIndex,
  type FileFact,
  type IdentifierFact,
  type Index,
  type IndexDelta,
  type TodoFact,
  todosOf,
  type UserFact,
} from '../model/facts/log-index.ts'
export { mergeIndexes } from '../model/facts/merge-indexes.ts'
export type { Fixed, ToolSchema } from '../model/fixed.ts'
export type { EntryId, Seq } from '../model/ids.ts'
export type { Message, Part } from '../model/message.ts'
export { messageSchema, parseMessage } from '../model/message-schema.ts'
export { type ModelInfo, modelName, type Prices, type Tier } from '../model/model-info.ts'
export {
  type Policy,
  type PolicyPatch,
  type Preset,
  parsePolicyConfig,
  parsePolicyPatch,
  type Rung,
  type Style,
} from '../model/policy/policy.ts'
export { policySchema } from '../model/policy/policy-schema.ts'
export { PRESETS, policyOf } from '../model/policy/presets.ts'
export type { ModelChunk, SummaryModel, SummaryRequest, WarmModel } from '../model/policy/summary-model.ts'
export { type ErrorCode, PithError } from '../model/problems/errors.ts'
export type { Todo } from '../model/todo.ts'
export type { Usage } from '../model/usage.ts'
export { type Item, type MessageItem, messagesOf, type SummaryItem, type View } from '../model/view.ts'
export { type Budget, budgetOf, exceedsReserve } from '../tokens/budget.ts'
export { type Calibration, calibrate, calibrated, UNCALIBRATED } from '../tokens/calibrate.ts'
export { costOf } from '../tokens/cost.ts'
export { itemTokens, messagesTokens } from '../tokens/count.ts'
export { charactersByFour, type Estimator, fixedTokens, messageTokens } from '../tokens/estimate/estimator.ts'
export { featureEstimator } from '../tokens/estimate/feature-estimator.ts'
export { gauge, type Level, type Status, type StatusInput, status } from '../tokens/status.ts'
export { acceptAnswer } from './compact/ask/accept-answer.ts'
export { stripAnalysis } from './compact/ask/analysis.ts'
export { chunk } from './compact/ask/chunk.ts'
export { type CompactInput, compact } from './compact/compact.ts'
export {
  type CompactMessagesOptions,
  type CompactMessagesResult,
  compactMessages,
} from './compact/messages/compact-messages.ts'
export { type FitOptions, type FitResult, fit } from './compact/messages/fit.ts'
export { type PreviewResult, preview } from './compact/preview.ts'
export { acceptContext } from './compact/rebuild.ts'
export type { RefusalCode } from './compact/refusal.ts'
export { type Verification, type VerifySource, verify } from './compact/verify/verify.ts'
export { type ToolFact, toolFacts, toolFactsWithResult } from './facts/calls/tool-facts.ts'
export { TOOL_TABLE, type ToolRow, type ToolTable, withTools } from './facts/calls/tool-table.ts'
export { type ErrorState, errorState, openErrors } from './facts/error-state.ts'
export { filesOf } from './facts/files.ts'
export { type FactFinder, indexDelta } from './facts/index-delta.ts'
export { pathsOf } from './facts/paths-of.ts'
export { type InspectInput, type Inspection, inspectLog as inspect } from './inspect/inspect-log.ts'
export { calibrationOf } from './measure/calibration.ts'
export { estimate, estimatorOf } from './measure/estimator-of.ts'
export { statusOf } from './measure/status-of.ts'
export {
  type Breaker,
  type BreakerState,
  breakerOf,
  breakerState,
  closedBreaker,
  recordFailure,
  recordSuccess,
} from './plan/breaker.ts'
export { CUT_RULES, type CutRule } from './plan/cut-rules.ts'
export { legalCuts } from './plan/cuts.ts'
export { type MaskOptions, type MaskResult, mask } from './plan/mask.ts'
export { type MaskInput, type MaskPlan, maskPlan } from './plan/mask-plan.ts'
export { type CompactPlan, type Plan, type PlanInput, plan } from './plan/plan.ts'
export { type SqueezePlan, squeezePlan } from './plan/squeeze-plan.ts'
export { type DigestInput, digest } from './record/digest/digest.ts'
export { type IndexBudget, renderIndex } from './record/index/render-index.ts'
export type { PromptSet } from './record/prompts/prompt-set.ts'
export { promptsOf } from './record/prompts/prompts-of.ts'
export { cutText, serialize, serializeAll } from './record/serialize.ts'
export { type MeasuredLog, measureLog } from './replay/measured-log.ts'
export { type RecordedReplay, replayRecorded } from './replay/recorded-replay.ts'
export { type Replay, type ReplayInput, replay } from './replay/replay.ts'
export { type ReplayTotals, replayTotals } from './replay/replay-totals.ts'
export type { ReplayedCompaction, ReplayedRequest } from './replay/replayed-request.ts'
export { type TriedTrigger, tryTriggers } from './replay/triggers.ts'
export { percentText } from './report/numbers.ts'
export { skipText } from './report/skip.ts'
export { type ContextState, readState } from './state/context-state.ts'
export { openState, signState } from './state/sign-state.ts'
export { undoTargets } from './view/activity.ts'
export { appended, logOf, nextEntry } from './view/log.ts'
export { repairsFor } from './view/repair.ts'
export { type Request, requestOf } from './view/request.ts'
export { type ValidationProblem, type ValidationRule, validate } from './view/validate.ts'
export { extendView, viewOf } from './view/view-of.ts'
