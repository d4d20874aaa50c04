export {
  type CompactSessionInput,
  compactSession,
  compactSessionWith,
  type SessionCompactResult,
} from './compact-session.ts'
export { editSummary } from './edit-summary.ts'
export type { EntryEvent, LogEvent, ProgressEvent, SessionEvent } from './events.ts'
export { exportSession } from './export-session.ts'
export { followSession } from './follow-session.ts'
export { LiveSession } from './live-session.ts'
export { type OpenSession, openSession } from './open-session.ts'
export { pin, unpin } from './pin.ts'
export { previewSession } from './preview-session.ts'
export { recall, searchSession } from './recall.ts'
export { sessionEvents } from './session-events.ts'
export { type SessionSettings, sessionSettings } from './session-settings.ts'
export { type CompactionRecord, compactionsOf, type SessionState, stateOf } from './state.ts'
export { redo, type UndoResult, undo } from './undo.ts'
