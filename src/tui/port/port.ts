import type { PreviewFacts } from '../../engine/report/preview-text.ts'
import type { Todo } from '../../model/todo.ts'
import type { SessionSpending } from '../../session/account/spent-meter.ts'
import type {
  Answer,
  ChangeResult,
  ContextReport,
  McpReport,
  ModelChange,
  ModelRow,
  OpenedSession,
  OpenResult,
  PolicyReport,
  PortEvent,
  RecallHit,
  RewindReport,
  RewindWish,
  RuleRow,
  SessionRow,
  SettingScope,
  SummaryReport,
  UndoPreview,
} from './port-data.ts'

/**
 * All that the screen knows of sessions: calls with plain data, events, and questions that are answered by their id.
 * Every argument and every result survives JSON, so that a session may be on another machine.
 */
export type Port = WorkPort & ContextPort & SettingsPort & SessionsPort & RewindPort & McpPort

/** Turns and compactions in the open session, and what happens in it. */
export type WorkPort = {
  subscribe(listener: (event: PortEvent) => void): () => void
  /** The open session, as a screen shows it first. */
  opened(): Promise<OpenedSession>
  /** Runs a turn. It resolves at its end; events tell the rest. */
  say(text: string): Promise<void>
  /** Gives the running turn a message, which the model gets after the tool that runs. Refused where that cannot be done. */
  steer(text: string): Promise<ChangeResult>
  /** Runs a command of the user in the workspace. Its output is in the conversation, or only on the screen. */
  shell(command: string, where: 'conversation' | 'screen'): Promise<void>
  compact(focus?: string): Promise<void>
  /** Ends the running reply or compaction. */
  interrupt(): Promise<void>
  answer(question: string, answer: Answer): Promise<void>
  /** Files of the workspace whose path contains these letters in order. */
  files(query: string): Promise<readonly string[]>
  close(): Promise<void>
}

/** The calls that start, steer and end work. */
export type WorkCalls = Pick<WorkPort, 'say' | 'steer' | 'compact' | 'interrupt'>

/** Looks at the context of the open session, and changes it. */
export type ContextPort = {
  context(): Promise<ContextReport>
  preview(): Promise<PreviewFacts>
  summary(): Promise<SummaryReport | undefined>
  recall(text: string): Promise<readonly RecallHit[]>
  todos(): Promise<readonly Todo[]>
  spent(): Promise<SessionSpending>
  /** What the next undo would take back; undefined when there is nothing. */
  undoPreview(): Promise<UndoPreview | undefined>
  undo(): Promise<ChangeResult>
  redo(): Promise<ChangeResult>
  editSummary(seq: number, text: string): Promise<ChangeResult>
  /** Keeps a message from now on; one that is not in the context as it was said is put back. */
  pin(seq: number): Promise<ChangeResult>
  unpin(seq: number): Promise<ChangeResult>
  /** Other messages that repeat the text of this one, or a word of it that looks like a secret. */
  sameText(seq: number): Promise<readonly number[]>
  redact(seqs: readonly number[]): Promise<ChangeResult>
}

/** The model, the permissions and the policy of the open session. */
export type SettingsPort = {
  models(): Promise<readonly ModelRow[]>
  setModel(name: string): Promise<ModelChange>
  /** Stores the key of a provider where only the user can read it. */
  setKey(provider: string, key: string): Promise<ChangeResult>
  permissions(mode: string): Promise<ChangeResult>
  /** The permission rules of the workspace; a server's are not listed. */
  rules(): Promise<readonly RuleRow[]>
  removeRule(row: RuleRow): Promise<ChangeResult>
  /** Sets how much the model thinks: `auto`, `off`, `low`, `medium`, `high`, or `next` of these. */
  think(level: string): Promise<ChangeResult>
  policy(): Promise<PolicyReport>
  setPolicy(key: string, value: string, scope: SettingScope): Promise<ChangeResult>
}

/** The list of sessions. Opening another session ends in an `opened` event. */
export type SessionsPort = {
  sessions(): Promise<readonly SessionRow[]>
  /** A session that works in another folder is not opened: the answer says where that is. */
  openSession(id: string): Promise<OpenResult>
  /** Opens a fork of a session of another folder, which works in this one. */
  forkHere(id: string): Promise<ChangeResult>
  newSession(): Promise<ChangeResult>
  /** Opens a new session that shares the entries before `before`, or all of them. */
  fork(before?: number): Promise<ChangeResult>
  /** Opens the example that comes with Pith. */
  openExample(): Promise<ChangeResult>
  rename(title: string): Promise<ChangeResult>
  /** Writes the log as JSON Lines into a new file; `text` says where. */
  exportTo(path?: string): Promise<ChangeResult>
}

/** Going back to before a message. */
export type RewindPort = {
  /** What setting the files back would do. */
  rewindReport(to: number): Promise<RewindReport>
  /** A conversation that goes back is a new session; the one that is open stays as it is. */
  rewind(wish: RewindWish): Promise<ChangeResult>
}

/** MCP servers. */
export type McpPort = {
  mcp(): Promise<McpReport>
  restartMcp(name: string): Promise<ChangeResult>
  /** Asks about the servers of the project's `.mcp.json` again. */
  trustMcp(): Promise<ChangeResult>
}
