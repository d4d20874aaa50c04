/**
 * Keeps an agent's messages inside its model's context window.
 *
 * `fit` and `compactMessages` take a list and give one back; `recall` finds what they took out, and `reportOf` makes the report of
 * a sub-agent; `compact` works on a log of your own; `projectMemory` makes a page about a project from its sessions. The parts that these are made of are in `pith/engine`.
 *
 * @packageDocumentation
 */
export type { CompactInput } from './engine/compact/compact.ts'
export { estimate } from './engine/context/measure/calibration.ts'
export { statusOf } from './engine/context/open-context.ts'
export { undoTargets } from './engine/context/view/activity.ts'
export { appended, logOf, nextEntry } from './engine/context/view/log.ts'
export { viewOf } from './engine/context/view/view-of.ts'
export type { FactFinder } from './engine/extract/index-delta.ts'
export type { CutRule } from './engine/plan/cut-rules.ts'
export { type MaskOptions, type MaskResult, mask } from './engine/plan/mask.ts'
export { serializeAll } from './engine/record/serialize.ts'
export {
  type CompactMessagesOptions,
  type CompactMessagesResult,
  compactMessages,
} from './fit/compact-messages.ts'
export { compactWithPauses as compact } from './fit/compact-with-pauses.ts'
export { type FitOptions, type FitResult, fit } from './fit/fit.ts'
export type { ContextState } from './fit/state/context-state.ts'
export { openState, signState } from './fit/state/sign-state.ts'
export type { CompactEvent, CompactResult } from './model/compact-result.ts'
export { parseEntry } from './model/entry.ts'
export type { Policy, PolicyPatch } from './model/policy/policy.ts'
export { policyOf } from './model/policy/presets.ts'
export { type ErrorCode, PithError } from './model/problems/errors.ts'
export {
  type Entry,
  type EntryDraft,
  type Message,
  type ModelInfo,
  messagesOf,
  type SummaryModel,
  type SummaryRequest,
  type ToolSchema,
  type Usage,
  type View,
} from './model/types.ts'
export { loadRegistry, resolveModel } from './models/registry.ts'
export { loadRedactor } from './secrets/load-redactor.ts'
export { type MemorySession, projectMemory } from './study/memory/memory-of-sessions.ts'
export { recall } from './study/recall/recall.ts'
export { reportOf } from './study/recall/report-of.ts'
export type { Status } from './tokens/status.ts'
