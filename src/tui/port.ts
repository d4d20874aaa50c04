import type { Todo } from '../model/todo.ts'
import type { SessionSpending } from '../session/spent-meter.ts'
import type {
  Answer,
  ContextReport,
  Done,
  ModelRow,
  Opened,
  PolicyReport,
  PortEvent,
  PreviewReport,
  RecallHit,
  Scope,
  SessionRow,
  SummaryReport,
} from './port-data.ts'

/**
 * All that the screen knows of sessions: calls with plain data, events, and questions that are answered by their id.
 * Every argument and every result survives JSON, so that a session may be on another machine.
 */
export type Port = {
  subscribe(listener: (event: PortEvent) => void): () => void
  /** The open session, as a screen shows it first. */
  opened(): Promise<Opened>

  /** Runs a turn. It resolves at its end; events tell the rest. */
  say(text: string): Promise<void>
  compact(focus?: string): Promise<void>
  /** Ends the running reply or compaction. */
  interrupt(): Promise<void>
  answer(question: string, answer: Answer): Promise<void>

  undo(): Promise<Done>
  redo(): Promise<Done>
  preview(): Promise<PreviewReport>
  context(): Promise<ContextReport>
  summary(): Promise<SummaryReport | undefined>
  editSummary(seq: number, text: string): Promise<Done>
  recall(text: string): Promise<readonly RecallHit[]>
  pin(seq: number, on: boolean): Promise<Done>
  redact(seq: number): Promise<Done>
  todos(): Promise<readonly Todo[]>
  spent(): Promise<SessionSpending>

  models(): Promise<readonly ModelRow[]>
  setModel(name: string): Promise<Done>
  permissions(mode: string): Promise<Done>
  policy(): Promise<PolicyReport>
  setPolicy(key: string, value: string, scope: Scope): Promise<Done>

  sessions(): Promise<readonly SessionRow[]>
  /** This and the next three end in an `opened` event for the other session. */
  openSession(id: string): Promise<Done>
  newSession(): Promise<Done>
  /** Opens a new session that shares the entries before `before`, or all of them. */
  fork(before?: number): Promise<Done>
  /** Opens the example that comes with Pith. */
  openExample(): Promise<Done>
  rename(title: string): Promise<Done>
  /** Writes the log as JSON Lines; `text` says where. */
  exportTo(path?: string): Promise<Done>
  /** Files of the workspace whose path contains these letters in order. */
  files(query: string): Promise<readonly string[]>
  close(): Promise<void>
}
