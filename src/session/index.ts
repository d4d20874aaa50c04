export {
  type CompactSessionInput,
  compactSession,
  compactSessionWith,
  previewSession,
  type SessionCompactResult,
} from './compaction/compact-session.ts'
export type { EntryEvent, LogEvent, ProgressEvent, SessionEvent } from './events/event-types.ts'
export { followSession, sessionEvents } from './events/session-events.ts'
export { exportSession } from './export-session.ts'
export {
  type LeaveOutPreview,
  type LeaveOutResult,
  type LeaveOutWish,
  leaveOut,
  type PutBackResult,
  previewLeaveOut,
  putBackLeftOut as putBack,
} from './leave-out.ts'
export { LiveSession } from './live-session.ts'
export { type OpenSession, openSession, type SessionSettings, sessionSettings } from './open-session.ts'
export { entriesWithSameText, recall, searchSession } from './search/search-session.ts'
export { type StoredLog, sessionLogs } from './session-logs.ts'
export { type CompactionRecord, compactionsOf, type SessionState, stateOf } from './session-state.ts'
export { editSummary, pin, redactEntries, redo, type UndoResult, undo, unpin } from './user-changes.ts'
