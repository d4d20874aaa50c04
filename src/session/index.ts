export {
  type CompactSessionInput,
  compactSession,
  compactSessionWith,
  type SessionCompactResult,
} from './compaction/compact-session.ts'
export { previewSession } from './compaction/preview-session.ts'
export type { EntryEvent, LogEvent, ProgressEvent, SessionEvent } from './events/event-types.ts'
export { followSession } from './events/follow-session.ts'
export { sessionEvents } from './events/session-events.ts'
export { exportSession } from './export-session.ts'
export { LiveSession } from './live-session.ts'
export { type OpenSession, openSession } from './open-session.ts'
export { redactEntries } from './redact-entries.ts'
export { entriesWithSameText } from './search/entries-with-same-text.ts'
export { recall, searchSession } from './search/search-session.ts'
export { type SessionSettings, sessionSettings } from './session-context.ts'
export { type CompactionRecord, compactionsOf, type SessionState, stateOf } from './session-state.ts'
export { redo, type UndoResult, undo } from './undo.ts'
export { editSummary, pin, unpin } from './user-changes.ts'
