import { visibleWidth } from '@earendil-works/pi-tui/dist/utils.js'
import type { TurnEnd } from '../../agent/agent.ts'
import type { ContextPart } from '../../engine/report/context-parts.ts'
import type { LeaveOutChoice } from '../../engine/report/leave-out-text.ts'
import type { Outcome, PreviewFacts } from '../../engine/report/outcome.ts'
import type { ToolReport } from '../../engine/report/tool-report.ts'
import type { CompactEvent } from '../../model/compact-result.ts'
import type { Entry, Todo } from '../../model/types.ts'
import type { SessionSpending } from '../../session/account/spent-meter.ts'
import type { Status } from '../../tokens/status.ts'

/** The answer to a change that the user asked for. `text` is one line for them; it is empty when the screen shows the change anyway. */
export type ChangeResult = { readonly ok: boolean; readonly text: string }

/** The answer to a change of the model. `needsKey`: the provider whose key is missing. */
export type ModelChange = ChangeResult & { readonly needsKey?: string }

/** The answer to opening a session. `elsewhere`: it works in another folder, and was not opened. */
export type OpenResult = ChangeResult & { readonly elsewhere?: SessionElsewhere }

/** A session that works in another folder. `canMove`: that folder exists, and the terminal can go there. */
export type SessionElsewhere = { readonly id: string; readonly folder: string; readonly canMove: boolean }

export type SessionInfo = { readonly id: string; readonly title?: string; readonly workspace: string }

/** A session as a screen shows it first. */
export type OpenedSession = {
  readonly session: SessionInfo
  /** `provider/model`. */
  readonly model: string
  /** Set when no model can be used: one line that says what to set. */
  readonly noModel?: string
  readonly permissions: string
  /** How much the model thinks. If absent, the provider's default applies. */
  readonly thinking?: string
  readonly status: Status
  /** `/compact` is suggested from this percentage of the window on; 0 means never. */
  readonly suggestPercent: number
  /** In US dollars so far; absent when a price is not known. */
  readonly cost?: number
  /** The part of it whose price is known. */
  readonly knownCost?: number
  /** Messages that the user should read first. */
  readonly notices?: readonly string[]
  /** The newest entries of the log, oldest first. */
  readonly entries: readonly Entry[]
  /** How many entries come before them. */
  readonly earlier: number
  /** The files of instructions and facts that are sent with every request. */
  readonly reads?: readonly string[]
  /** Files of instructions for other folders, which the agent reads when it works there. */
  readonly readsThere?: readonly string[]
  /** How many commands run in the background; absent if the screen cannot send commands there. */
  readonly jobs?: number | undefined
  /** True on a machine without sessions and without a usable model. */
  readonly firstRun: boolean
}

/** A decision that only the user can make. */
export type Question = PermissionQuestion | CompactionQuestion | TrustQuestion | PlanQuestion

export type PermissionQuestion = {
  readonly kind: 'permission'
  readonly id: string
  /** The call that needs it, if it is known. */
  readonly toolCallId?: string
  readonly action: 'read' | 'edit' | 'command' | 'tool'
  /** The sub-agent that asks; absent if it is the agent itself. */
  readonly by?: string
  /** The path, the command, or the tool with its arguments. */
  readonly target: string
  readonly outside: boolean
  /** A line to read before answering: that it ran once already, or why it is asked about. */
  readonly note?: string
  readonly diff?: string
  /** The rules that `always` would store, one for each part of a compound command; absent if none fits. */
  readonly rule?: string
  /** The rules that allow the command with any arguments. */
  readonly prefix?: string
  /** The rule that `never` would store. */
  readonly never?: string
  /** The extent of `session`, which lasts until the session is closed. Absent if the answer can count only once. */
  readonly session?: 'edits' | 'request'
}

export type CompactionQuestion = { readonly kind: 'compaction'; readonly id: string; readonly preview: PreviewFacts }

/** Whether the agent's plan is accepted. */
export type PlanQuestion = { readonly kind: 'plan'; readonly id: string; readonly steps: readonly string[] }

/** Whether programs that a file of the project names may be started. */
export type TrustQuestion = {
  readonly kind: 'trust'
  readonly id: string
  readonly file: string
  /** Each with what it runs and sends, in lines. */
  readonly servers: readonly { readonly name: string; readonly lines: readonly string[] }[]
}

export type Answer =
  | { readonly kind: 'once' | 'session' | 'always' | 'prefix' | 'never' }
  | { readonly kind: 'tell'; readonly text: string }
  | { readonly kind: 'compact'; readonly focus?: string }
  | { readonly kind: 'later' | 'off' | 'trusted' | 'accepted' | 'refused' }

/** Everything that happens in the open session. */
export type PortEvent =
  /** `redacted`: it was already open, and texts that the screen has shown were redacted. */
  | { readonly type: 'opened'; readonly opened: OpenedSession; readonly redacted?: true }
  | { readonly type: 'turn-started' }
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'tool-input'; readonly toolName: string }
  /** A command of the user has started. */
  | { readonly type: 'shell-started'; readonly command: string }
  | { readonly type: 'answer-void'; readonly reason: string }
  | { readonly type: 'retry'; readonly attempt: number; readonly inMs: number; readonly reason: string }
  | { readonly type: 'entry'; readonly entry: Entry }
  | { readonly type: 'tool-started' | 'tool-output'; readonly toolCallId: string; readonly text: string }
  | { readonly type: 'compaction'; readonly automatic: boolean; readonly event: CompactEvent }
  | { readonly type: 'compaction-ended'; readonly automatic: boolean; readonly result: Outcome }
  | ({ readonly type: 'status'; readonly status: Status; readonly suggestPercent: number } & Pick<
      OpenedSession,
      'cost' | 'knownCost'
    >)
  | { readonly type: 'model'; readonly model: string; readonly noModel?: string }
  | { readonly type: 'permissions'; readonly mode: string }
  | { readonly type: 'thinking'; readonly level?: string }
  | { readonly type: 'title'; readonly title: string }
  | { readonly type: 'notice'; readonly text: string; readonly tone?: 'error' }
  /** How many commands run in the background. */
  | { readonly type: 'jobs'; readonly running: number }
  | { readonly type: 'question'; readonly question: Question }
  | { readonly type: 'question-closed'; readonly id: string }
  /** `lost`: the connection broke, but the turn may still be running. */
  | { readonly type: 'turn-ended'; readonly reason: TurnEnd['reason'] | 'lost'; readonly text: string }

export type ContextReport = {
  readonly model: string
  readonly status: Status
  /** They add up to the tokens of the status. */
  readonly parts: readonly ContextPart[]
  readonly reserve: number
  readonly largest: readonly { readonly name: string; readonly tokens: number }[]
  /** The definitions of tools in each request, if they are known. */
  readonly tools?: ToolReport
  readonly preset: string
  /** When the next automatic compaction comes, in one line. */
  readonly next: string
}

export type PolicyReport = {
  readonly preset: string
  readonly values: readonly { readonly key: string; readonly value: string; readonly source: string }[]
}

export type SummaryReport = {
  readonly seq: number
  /** The narrative, which the user may edit. */
  readonly text: string
  /** The text that the model sees instead of the messages. */
  readonly record: string
  /** How many messages of the log it replaces. */
  readonly standsFor: number
}

/** `task`: the sub-agent whose log has the entry. */
export type RecallHit = { readonly seq: number; readonly type: string; readonly text: string; readonly task?: string }

/** The changes that a rewind of the files to before a message would make. */
export type RewindReport = {
  readonly files: readonly {
    readonly path: string
    readonly change: 'restore' | 'create' | 'delete'
    /** The user or another program changed it after the agent. */
    readonly changedSince: boolean
    readonly diff: string
  }[]
  /** Files that cannot be restored. */
  readonly lost: readonly { readonly path: string; readonly why: string }[]
  /** Set if no files can be restored: one line that says why. */
  readonly unavailable?: string
}

/** How far to go back. `untouched`: only the files that only the agent has changed since. */
export type RewindWish = {
  readonly to: number
  readonly files: 'all' | 'untouched' | 'none'
  readonly conversation: boolean
}

export type McpRow = {
  readonly name: string
  readonly state: 'ready' | 'starting' | 'failed' | 'off'
  readonly why?: string
  /** The estimated tokens of its tools in every request. */
  readonly tokens: number
  readonly tools: readonly { readonly name: string; readonly about: string }[]
}

export type McpReport = {
  readonly servers: readonly McpRow[]
  /** Set if servers cannot be listed: one line that says why. */
  readonly unavailable?: string
}

/** A command in the background. */
export type JobRow = {
  readonly id: string
  readonly command: string
  readonly state: 'running' | 'ended' | 'detached'
  readonly ms: number
  readonly exit?: number
  readonly lastLine: string
}

export type JobsReport = {
  readonly jobs: readonly JobRow[]
  /** Set if they cannot be listed: one line that says why. */
  readonly unavailable?: string
}

/** A command or a skill that is a file. */
export type OwnCommandRow = {
  readonly name: string
  readonly takes?: string
  readonly about: string
  /** The file. */
  readonly source: string
  /** The file that has the same name and wins. */
  readonly hiddenBy?: string
}

/** A permanent answer of the user, as text: `command: npm test`. */
export type RuleRow = { readonly answer: 'always' | 'never'; readonly rule: string }

export type ModelRow = {
  readonly name: string
  readonly window?: number
  /** US dollars for a million tokens. */
  readonly inputPrice?: number
  readonly outputPrice?: number
  readonly usable: boolean
  readonly why?: string
}

export type SessionRow = {
  readonly id: string
  readonly title?: string
  readonly workspace: string
  readonly updatedAt: number
  readonly entries: number
  readonly fork: boolean
}

/**
 * The screen's only access to sessions: calls with plain data, events, and questions that are answered by their id. Every
 * argument and every result can be sent as JSON, so that a session may be on another machine.
 */
export type Port = WorkPort & ContextPort & SettingsPort & SessionsPort & RewindPort & McpPort & JobsPort

/** Turns and compactions in the open session, and its events. */
export type WorkPort = {
  subscribe(listener: (event: PortEvent) => void): () => void
  /** The open session, as a screen shows it first. */
  opened(): Promise<OpenedSession>
  /** Runs a turn. It resolves at its end; the answer is sent as events. */
  say(text: string): Promise<void>
  /** Adds a message to the running turn. The model gets it after the running tool. Refused if that is not possible. */
  steer(text: string): Promise<ChangeResult>
  /** Runs a command of the user in the workspace. Its output is in the conversation. `exit`: it ran in the user's terminal. */
  shell(command: string, exit?: number): Promise<void>
  compact(focus?: string): Promise<void>
  /** Ends the running reply or compaction. */
  interrupt(): Promise<void>
  answer(question: string, answer: Answer): Promise<void>
  /** The commands and skills that the user and the project have as files. */
  ownCommands(): Promise<readonly OwnCommandRow[]>
  /** Files of the workspace whose path contains these letters in order. */
  files(query: string): Promise<readonly string[]>
  /** Messages that the user typed in the last sessions, the newest first. */
  typed(): Promise<readonly string[]>
  close(): Promise<void>
}

/** The calls that start, steer and end work. */
export type WorkCalls = Pick<WorkPort, 'say' | 'steer' | 'compact' | 'interrupt'>

/** Reads and changes the context of the open session. */
export type ContextPort = {
  context(): Promise<ContextReport>
  preview(): Promise<PreviewFacts>
  summary(): Promise<SummaryReport | undefined>
  recall(text: string): Promise<readonly RecallHit[]>
  todos(): Promise<readonly Todo[]>
  /** The memory of the project that the session began with; empty if it began without. */
  memory(): Promise<string>
  spent(): Promise<SessionSpending>
  /** How full the context would be after the next undo; undefined if there is nothing to undo. */
  undoPreview(): Promise<Status | undefined>
  undo(): Promise<ChangeResult>
  redo(): Promise<ChangeResult>
  editSummary(seq: number, text: string): Promise<ChangeResult>
  /** Pins a message. If it is no longer in the context word for word, it is put back. */
  pin(seq: number): Promise<ChangeResult>
  unpin(seq: number): Promise<ChangeResult>
  /** The largest parts that can be left out of the context. */
  leaveOutChoices(): Promise<readonly LeaveOutChoice[]>
  /** Leaves a part out: `#40-#71`, `turn:#40`, `tool:bash`, `file:src/a.ts`. `cold`: only when that breaks no cache. */
  leaveOut(what: string, when: 'now' | 'cold'): Promise<ChangeResult>
  /** Puts back the part with this message. */
  putBack(seq: number): Promise<ChangeResult>
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
  /** Begins or ends plan mode, in which the agent only reads. */
  plan(on: boolean): Promise<ChangeResult>
  /** The permission rules of the workspace; a server's are not listed. */
  rules(): Promise<readonly RuleRow[]>
  removeRule(row: RuleRow): Promise<ChangeResult>
  /** Sets how much the model thinks: `auto`, `off`, `low`, `medium`, `high`, or `next` of these. */
  think(level: string): Promise<ChangeResult>
  policy(): Promise<PolicyReport>
  setPolicy(key: string, value: string): Promise<ChangeResult>
}

/** The list of sessions. Opening another session ends in an `opened` event. */
export type SessionsPort = {
  sessions(): Promise<readonly SessionRow[]>
  /** Opens a session. If it works in another folder, it is not opened and the result names the folder. */
  openSession(id: string): Promise<OpenResult>
  /** Opens a fork of a session of another folder, which works in this one. */
  forkHere(id: string): Promise<ChangeResult>
  newSession(): Promise<ChangeResult>
  /** Opens a new session that shares the entries before `before`, or all of them. */
  fork(before?: number): Promise<ChangeResult>
  /** Opens the example that comes with Pith. */
  openExample(): Promise<ChangeResult>
  rename(title: string): Promise<ChangeResult>
}

/** Going back to before a message. */
export type RewindPort = {
  rewindReport(to: number): Promise<RewindReport>
  /** Goes back. A conversation that goes back becomes a new session; the open session does not change. */
  rewind(wish: RewindWish): Promise<ChangeResult>
}

/** Commands in the background. */
export type JobsPort = {
  jobs(): Promise<JobsReport>
  /** Sends the running command to the background. */
  toBackground(): Promise<ChangeResult>
  /** The end of a job's output. */
  jobOutput(id: string): Promise<string>
  stopJob(id: string): Promise<ChangeResult>
  /** Lets a job run on when the program ends. */
  detachJob(id: string): Promise<ChangeResult>
}

/** MCP servers. */
export type McpPort = {
  mcp(): Promise<McpReport>
  /** Asks about the servers of the project's `.mcp.json` again. */
  trustMcp(): Promise<ChangeResult>
}

/** The role of a piece of text. A theme gives each a colour. */
export type Tone =
  | 'plain'
  | 'bold'
  | 'muted'
  | 'accent'
  | 'hint'
  | 'bar'
  | 'warning'
  | 'critical'
  | 'error'
  | 'success'
  | 'added'
  | 'removed'
  | 'code'
  | 'keyword'
  | 'string'
  | 'number'
  | 'user'

/** The background of a line of a diff. The words that changed in it stand out. */
export type Ground = 'added' | 'removed' | 'added-word' | 'removed-word'

export type Span = readonly [text: string, tone?: Tone, ground?: Ground]

/** One line of a screen before it has colours. */
export type Line = readonly Span[]

/** A line of one tone. */
export function line(text: string, tone: Tone = 'plain'): Line {
  return [[text, tone]]
}

/** Rows as aligned lines, two spaces between columns; each cell is one span. */
export function table(rows: readonly (readonly Span[])[], align: readonly ('left' | 'right')[] = []): Line[] {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, i) =>
    Math.max(...rows.map((row) => visibleWidth(row[i]?.[0] ?? ''))),
  )
  return rows.map((row) =>
    row.flatMap(([text, tone = 'plain'], i): Span[] => {
      const space = ' '.repeat(Math.max(0, (widths[i] ?? 0) - visibleWidth(text)))
      const isLast = i === row.length - 1
      const cell: Span = [align[i] === 'right' ? space + text : isLast ? text : text + space, tone]
      return isLast ? [cell] : [cell, ['  ', 'plain']]
    }),
  )
}

/** The rows without the columns that do not fit. The last shown column may be cut, but not to a few characters. */
export function fitting(rows: readonly (readonly Span[])[], width: number): (readonly Span[])[] {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  let room = width
  let count = 0
  while (count < columns && (count === 0 || room >= LEAST_COLUMN)) {
    const own = Math.max(...rows.map((row) => visibleWidth(row[count]?.[0] ?? '')))
    if (count > 0 && own > room && count < columns - 1) break
    room -= own + 2
    count++
  }
  return rows.map((row) => row.slice(0, count))
}

const LEAST_COLUMN = 6
