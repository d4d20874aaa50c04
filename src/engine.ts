export type { RefusalCode } from './engine/compact/ask/accept-summary.ts'
export { acceptAnswer, stripAnalysis } from './engine/compact/ask/accept-summary.ts'
export { chunk } from './engine/compact/ask/summarize.ts'
export type { CompactInput } from './engine/compact/compact.ts'
export { type PreviewResult, preview } from './engine/compact/preview.ts'
export { acceptContext } from './engine/compact/rebuild.ts'
export { type Verification, type VerifySource, verify } from './engine/compact/verify/verify.ts'
export {
  type Breaker,
  type BreakerState,
  breakerOf,
  breakerState,
  type Context,
  type ContextSettings,
  closedBreaker,
  recordFailure,
  recordSuccess,
  statusIn,
  withSettings,
} from './engine/context/context.ts'
export { calibrationOf, estimate, estimatorOf } from './engine/context/measure/calibration.ts'
export { extendContext, openContext, statusOf } from './engine/context/open-context.ts'
export { undoTargets } from './engine/context/view/activity.ts'
export { appended, logOf, nextEntry } from './engine/context/view/log.ts'
export { repairsFor } from './engine/context/view/repair.ts'
export { type Request, requestOf } from './engine/context/view/request.ts'
export { type ValidationProblem, type ValidationRule, validate } from './engine/context/view/validate.ts'
export { extendView, viewOf } from './engine/context/view/view-of.ts'
export { type ToolFact, toolFacts, toolFactsWithResult } from './engine/extract/calls/tool-facts.ts'
export { TOOL_TABLE, type ToolRow, type ToolTable, withTools } from './engine/extract/calls/tool-table.ts'
export { type ErrorState, errorState, openErrors } from './engine/extract/error-state.ts'
export { filesOf, pathsOf } from './engine/extract/files.ts'
export { type FactFinder, indexDelta } from './engine/extract/index-delta.ts'
export { CUT_RULES, type CutRule, legalCuts } from './engine/plan/cut-rules.ts'
export { type MaskInput, type MaskOptions, type MaskPlan, type MaskResult, mask, maskPlan } from './engine/plan/mask.ts'
export { type CompactPlan, type Plan, type PlanInput, plan } from './engine/plan/plan.ts'
export { type SqueezePlan, squeezePlan } from './engine/plan/squeeze-plan.ts'
export type { PromptSet } from './engine/record/prompts/prompt-set.ts'
export { promptsOf } from './engine/record/prompts/prompts-of.ts'
export { cutText, serialize, serializeAll } from './engine/record/serialize.ts'
export { percentText } from './engine/report/numbers.ts'
export { skipText } from './engine/report/skip.ts'
export {
  type CompactMessagesOptions,
  type CompactMessagesResult,
  compactMessages,
} from './fit/compact-messages.ts'
export { compactWithPauses as compact } from './fit/compact-with-pauses.ts'
export { type FitOptions, type FitResult, fit } from './fit/fit.ts'
export type { Repair } from './fit/repairs.ts'
export { type ContextState, readState } from './fit/state/context-state.ts'
export { openState, signState } from './fit/state/sign-state.ts'
export type {
  CompactEvent,
  CompactedResult,
  CompactResult,
  SkipReason,
  UnchangedResult,
} from './model/compact-result.ts'
export { entrySchema, parseEntry } from './model/entry.ts'
export { emptyIndex, mergeIndexes, todosOf } from './model/facts/log-index.ts'
export { messageSchema, parseMessage } from './model/message-schema.ts'
export {
  type Policy,
  type PolicyPatch,
  type Preset,
  parsePolicyConfig,
  parsePolicyPatch,
  type Rung,
  type Style,
} from './model/policy/policy.ts'
export { policySchema } from './model/policy/policy-schema.ts'
export { PRESETS, policyOf } from './model/policy/presets.ts'
export { type ErrorCode, PithError } from './model/problems/errors.ts'
export {
  type CommandFact,
  type ConstraintFact,
  type Entry,
  type EntryDraft,
  type EntryId,
  type EntryOf,
  type ErrorFact,
  type FileFact,
  type Fixed,
  type IdentifierFact,
  type Index,
  type IndexDelta,
  type Item,
  type Message,
  type MessageItem,
  type ModelChunk,
  type ModelInfo,
  messagesOf,
  modelName,
  type Part,
  type Prices,
  type PrintedLine,
  type Reason,
  type RepairChange,
  type Seq,
  type SummaryItem,
  type SummaryModel,
  type SummaryRequest,
  type Tier,
  type Todo,
  type TodoFact,
  type ToolSchema,
  type Usage,
  type UserFact,
  type View,
  type WarmModel,
} from './model/types.ts'
export { type InspectInput, type Inspection, inspectLog as inspect } from './study/inspect/inspect-log.ts'
export { type MeasuredLog, measureLog } from './study/replay/measured-log.ts'
export { type RecordedReplay, replayRecorded, type TriedTrigger, tryTriggers } from './study/replay/recorded-replay.ts'
export { type Replay, type ReplayInput, type ReplayTotals, replay, replayTotals } from './study/replay/replay.ts'
export type { ReplayedCompaction, ReplayedRequest } from './study/replay/request-meter.ts'
export { type Budget, budgetOf, exceedsReserve } from './tokens/budget.ts'
export { type Calibration, calibrate, calibrated, UNCALIBRATED } from './tokens/calibrate.ts'
export { costOf } from './tokens/cost.ts'
export {
  charactersByFour,
  type Estimator,
  fixedTokens,
  itemTokens,
  messagesTokens,
  messageTokens,
} from './tokens/estimate/estimator.ts'
export { featureEstimator } from './tokens/estimate/feature-estimator.ts'
export { gauge, type Level, type Status, type StatusInput, status } from './tokens/status.ts'
