export {
  type CompactSessionInput,
  compactSession,
  compactSessionWith,
  type SessionCompactResult,
} from './compact-session.ts'
export { entriesWithSameText } from './entries-with-same-text.ts'
export type { EntryEvent, LogEvent, ProgressEvent, SessionEvent } from './event-types.ts'
export { exportSession } from './export-session.ts'
export { followSession } from './follow-session.ts'
export { LiveSession } from './live-session.ts'
export { type OpenSession, openSession } from './open-session.ts'
export { previewSession } from './preview-session.ts'
export { redactEntries } from './redact-entries.ts'
export { recall, searchSession } from './search-session.ts'
export { sessionEvents } from './session-events.ts'
export { type SessionSettings, sessionSettings } from './session-settings.ts'
export { type CompactionRecord, compactionsOf, type SessionState, stateOf } from './session-state.ts'
export { redo, type UndoResult, undo } from './undo.ts'
export { editSummary, pin, unpin } from './user-changes.ts'
