// Generated from the document of the HTTP API by `npm run docs`: change it there.

/** The shape SessionDetail of the HTTP API. */
export type ApiSessionDetail = ApiSession & {
  /** provider/model; absent when no model can be used */
  readonly model?: string
  /** Why no model can be used, and what to set */
  readonly no_model?: string
  readonly preset: 'pith' | 'keen' | 'koda' | 'agent' | 'kit' | 'economy' | 'balanced' | 'full-window'
  readonly status: ApiStatus
  readonly todos: readonly ({
    readonly text: string
    readonly status: 'pending' | 'in-progress' | 'done' | 'cancelled'
  })[]
  readonly files: readonly (ApiSessionFile)[]
  readonly breaker: {
    readonly failures: number
    /** Milliseconds since 1970 */
    readonly last_failure_at: number
  }
  readonly compactions: number
  /** The change that an undo would take back; absent when there is none */
  readonly undo?: number
  /** The undo that a redo would take back; absent when there is none */
  readonly redo?: number
  /** Rows of the log that cannot be read; they are skipped */
  readonly bad_rows: number
}

/** How full the context is */
export type ApiStatus = {
  readonly tokens: number
  readonly window?: number
  /** Two decimals; absent when the window is unknown */
  readonly percent?: number
  readonly known: boolean
  readonly source: 'provider' | 'estimate'
  readonly level: 'normal' | 'warning' | 'critical' | 'unknown'
  /** The provider’s last count, if it cannot be right: the estimate stands in its place */
  readonly doubted?: number
}

/** The shape SessionFile of the HTTP API. */
export type ApiSessionFile = {
  readonly path: string
  /** The place of an entry in the log of its session */
  readonly seq: number
  readonly access: 'read' | 'modified' | 'reverted' | 'deleted'
  readonly [name: string]: unknown
}

/** The shape Session of the HTTP API. */
export type ApiSession = {
  readonly id: string
  readonly owner: string
  readonly workspace: string
  readonly title?: string
  /** Where there is no title: the beginning of what the user typed first */
  readonly first_words?: string
  readonly parent?: {
    readonly id: string
    /** The place of an entry in the log of its session */
    readonly seq: number
  }
  /** Milliseconds since 1970 */
  readonly created_at: number
  /** Milliseconds since 1970 */
  readonly updated_at: number
  /** The place of an entry in the log of its session */
  readonly last_seq: number
  /** The last entry that changed the view other than by appending a message */
  readonly revision: number
}

/** The shape ChangeSession of the HTTP API. */
export type ApiChangeSession = {
  readonly title?: string
  readonly model?: string
  readonly policy?: ApiPolicy
}

/** A preset, or settings in snake_case as in the configuration file */
export type ApiPolicy = string | {
  readonly [name: string]: unknown
}

/** The shape CreateSession of the HTTP API. */
export type ApiCreateSession = {
  readonly title?: string
  /** A workspace of the server; without one the agent has no tools for files and commands */
  readonly workspace?: string
  readonly model?: string
  readonly policy?: ApiPolicy
  readonly messages?: readonly (ApiMessage)[]
}

/** The AI SDK's ModelMessage */
export type ApiMessage = {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | readonly ({
    readonly type: string
    readonly [name: string]: unknown
  })[]
  readonly [name: string]: unknown
}

/** The shape AgentSession of the HTTP API. */
export type ApiAgentSession = {
  /** Begins with `agent:`; every route that only reads takes it */
  readonly id: string
  readonly agent: string
  readonly title?: string
  readonly workspace?: string
  /** Milliseconds since 1970 */
  readonly updated_at: number
  readonly messages: number
  readonly compactions: number
  readonly model?: string
  readonly tokens: number
  readonly window?: number
  readonly level: 'normal' | 'warning' | 'critical' | 'unknown'
}

/** One item of the log; its other fields depend on its type */
export type ApiEntry = {
  readonly id: string
  /** The place of an entry in the log of its session */
  readonly seq: number
  /** Milliseconds since 1970 */
  readonly at: number
  readonly type: 'message' | 'compaction' | 'mask' | 'squeeze' | 'edit' | 'undo' | 'repair' | 'redact' | 'pin' | 'attempt' | 'void' | 'settings' | 'todo' | 'checkpoint'
  readonly [name: string]: unknown
}

/** The shape SessionLink of the HTTP API. */
export type ApiSessionLink = {
  readonly id: string
  readonly expires: string
  /** The token that it ends with */
  readonly by: string
}

/** The shape NewSessionLink of the HTTP API. */
export type ApiNewSessionLink = ApiSessionLink & {
  /** Behind the address of the server; it is shown only this once */
  readonly path: string
}

/** The shape Overview of the HTTP API. */
export type ApiOverview = {
  readonly sessions: readonly (ApiOverviewSession)[]
  /** Sessions that the filter lets through */
  readonly total: number
  /** Sessions of this token that are not counted yet, or have grown since: ask again */
  readonly uncounted: number
  readonly spent: ApiSpending & unknown
  /** In UTC, the newest first */
  readonly days: readonly (ApiSpending & {
    readonly day: string
  })[]
  readonly tools: readonly (ApiShare)[]
  readonly files: readonly (ApiShare)[]
  /** The newest first */
  readonly problems: readonly (ApiCompactionProblem)[]
  /** What all sessions of this token have, to filter by */
  readonly choices: {
    readonly agents: readonly ({
      readonly name: string
      readonly sessions: number
    })[]
    readonly models: readonly ({
      readonly name: string
      readonly sessions: number
    })[]
    readonly folders: readonly ({
      readonly name: string
      readonly sessions: number
    })[]
  }
}

/** The shape OverviewSession of the HTTP API. */
export type ApiOverviewSession = ApiSession & {
  readonly agent: string
  readonly model?: string
  readonly status?: ApiStatus & unknown
  readonly spent?: ApiSpending
  /** Those that stand: an undo takes its own away. A fork: since it was forked */
  readonly compactions: number
  /** Compactions that went wrong, the last 20 at most */
  readonly problems: number
  /** What works in it here */
  readonly running?: 'turn' | 'compaction' | 'other'
}

/** Absent until it is counted. A fork: since it was forked */
export type ApiSpending = {
  readonly calls: number
  readonly input_tokens: number
  readonly cache_read_tokens: number
  readonly output_tokens: number
  readonly cost: number
  /** Calls whose price is not known: their cost is missing */
  readonly unpriced: number
}

/** What a tool or a file brought into the context, and its part of the cost of every request that sent it. Both are estimates */
export type ApiShare = {
  readonly name: string
  readonly calls: number
  readonly tokens: number
  readonly cost: number
}

/** The shape CompactionProblem of the HTTP API. */
export type ApiCompactionProblem = {
  readonly session_id: string
  readonly title?: string
  /** Where there is no title: the beginning of what the user typed first */
  readonly first_words?: string
  readonly seq: number
  readonly at: number
  /** failed: it came to nothing. fell-back: no summary of a model was taken, a lower rung made the record. not-taken: it came too late */
  readonly kind: 'failed' | 'fell-back' | 'not-taken'
  readonly reason: string
}

/** The shape SearchHit of the HTTP API. */
export type ApiSearchHit = ApiHit & {
  readonly title?: string
  /** Where there is no title: the beginning of what the user typed first */
  readonly first_words?: string
  readonly agent: string
}

/** The shape Hit of the HTTP API. */
export type ApiHit = {
  readonly session_id: string
  /** The place of an entry in the log of its session */
  readonly seq: number
  /** The place of an entry in the log of its session */
  readonly turn: number
  readonly type: string
  readonly role?: string
  readonly snippet: string
}

/** The shape Answer of the HTTP API. */
export type ApiAnswer = {
  readonly question: string
  /** True allows the request once */
  readonly allow: boolean
  /** With `allow: false`: what the agent should do instead */
  readonly text?: string
}

/** The shape AppendMessages of the HTTP API. */
export type ApiAppendMessages = {
  readonly messages: readonly ({
    readonly message: ApiMessage
    readonly usage?: ApiUsage
    readonly model?: string
  })[]
}

/** The usage that the provider reported for this answer */
export type ApiUsage = {
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cache_read_tokens?: number
  readonly cache_write_tokens?: number
  /** Of cache_write_tokens, those that the cache keeps for an hour */
  readonly cache_write_hour_tokens?: number
  readonly reasoning_tokens?: number
}

/** One item of the log; its other fields depend on its type */
export type ApiPlacedEntry = ApiEntry & {
  readonly place: ApiPlace
  /** The entry that put it there: a compaction, mask, squeeze or redaction */
  readonly by?: number
  readonly pinned?: boolean
  /** Estimated tokens of the message in full */
  readonly tokens?: number
  /** What the call behind each result was about, by its id: a path, a command */
  readonly about?: {
    readonly [name: string]: unknown
  }
  readonly [name: string]: unknown
}

/** none: the entry is no message */
export type ApiPlace = 'whole' | 'shortened' | 'masked' | 'compacted' | 'redacted' | 'undone' | 'none'

/** The shape TurnEnd of the HTTP API. */
export type ApiTurnEnd = {
  readonly reason: 'done' | 'aborted' | 'failed' | 'refused' | 'step-limit' | 'context-limit'
  readonly text: string
  readonly answer: string
  readonly steps: number
  readonly usage?: ApiUsage
  readonly cost?: number
}

/** The shape Say of the HTTP API. */
export type ApiSay = {
  readonly text?: string
  readonly message?: ApiMessage & unknown
  /** With events: the caller answers permission questions (`question`, then POST …/turn/answer). Otherwise every request for permission is denied */
  readonly asks?: boolean
}

/** The shape Steer of the HTTP API. */
export type ApiSteer = {
  readonly text?: string
  readonly message?: ApiMessage & unknown
  /** The `id` of the turn that it is for: another one does not take it */
  readonly turn?: string
}

/** The shape Context of the HTTP API. */
export type ApiContext = {
  readonly model?: string
  readonly status: ApiStatus
  readonly parts: ApiParts
  readonly budget: ApiBudget
  readonly largest: readonly ({
    /** The place of an entry in the log of its session */
    readonly seq: number
    readonly name: string
    readonly tokens: number
  })[]
  /** Messages in the view */
  readonly messages: number
  /** An automatic compaction would run now */
  readonly compaction_due: boolean
  /** When the next automatic compaction comes, in one line */
  readonly next: string
  readonly policy: {
    readonly preset: 'pith' | 'keen' | 'koda' | 'agent' | 'kit' | 'economy' | 'balanced' | 'full-window'
    readonly suggest_percent: number
    readonly rungs: readonly (string)[]
    readonly [name: string]: unknown
  }
}

/** Tokens by kind; they add up to the tokens of the status */
export type ApiParts = {
  readonly system: number
  readonly tools: number
  readonly instructions: number
  readonly memory: number
  /** Counted by the provider but in no log: prompt and tools of another agent */
  readonly hidden: number
  readonly summary: number
  readonly index: number
  readonly user: number
  readonly assistant: number
  readonly tool_results: number
  readonly reasoning: number
}

/** The shape Budget of the HTTP API. */
export type ApiBudget = {
  readonly window?: number
  readonly reserve: number
  readonly trigger?: number
  /** The most tokens of a request: the window less the reserve */
  readonly limit?: number
  /** The limit where nothing else helps: the window less a short answer */
  readonly ceiling?: number
  readonly target?: number
  readonly growth: number
  readonly names: number
  /** The trigger once the prompt cache has expired */
  readonly cold_trigger?: number
  readonly tail: number
  readonly summary: number
  readonly index: number
}

/** The shape ContextHistory of the HTTP API. */
export type ApiContextHistory = {
  readonly window?: number
  readonly trigger?: number
  readonly points: readonly (ApiContextPoint)[]
  readonly marks: readonly (ApiContextMark)[]
}

/** The shape ContextPoint of the HTTP API. */
export type ApiContextPoint = {
  /** The place of an entry in the log of its session */
  readonly seq: number
  /** Milliseconds since 1970 */
  readonly at: number
  readonly tokens: number
  readonly parts: ApiParts
}

/** The shape ContextMark of the HTTP API. */
export type ApiContextMark = {
  /** The place of an entry in the log of its session */
  readonly seq: number
  /** Milliseconds since 1970 */
  readonly at: number
  readonly type: 'compaction' | 'mask' | 'squeeze' | 'edit' | 'undo' | 'redo' | 'redact' | 'repair' | 'put-back'
  readonly tokens_before: number
  readonly tokens_after: number
  readonly undone: boolean
}

/** The shape Spent of the HTTP API. */
export type ApiSpent = {
  readonly calls: number
  readonly input_tokens: number
  readonly cache_read_tokens: number
  readonly output_tokens: number
  readonly compactions: number
  readonly compaction_cost?: number
  /** The whole cost; absent when a price is unknown */
  readonly cost?: number
  /** The part of the cost whose price is known */
  readonly known_cost?: number
  /** The last turns, by the message of the user that begins each; with `turns` in the query */
  readonly turns?: readonly ({
    /** The place of an entry in the log of its session */
    readonly seq: number
    readonly calls: number
    readonly input_tokens: number
    readonly output_tokens: number
    readonly cost?: number
  })[]
}

/** The shape GatewayRequest of the HTTP API. */
export type ApiGatewayRequest = {
  /** Milliseconds since 1970 */
  readonly at: number
  readonly upstream: string
  readonly path: string
  readonly model?: string
  /** The body that came from the agent */
  readonly bytes_in: number
  /** The body that went to the provider; 0 when Pith answered itself */
  readonly bytes_out: number
  readonly answer_bytes: number
  /** The provider’s own counts */
  readonly input_tokens?: number
  readonly cached_tokens?: number
  readonly output_tokens?: number
  readonly status?: number
  /** What was done with the request, and why */
  readonly why: string
  /** How long the request waited for the gateway before it was sent on */
  readonly own_ms: number
}

/** The shape Changed of the HTTP API. */
export type ApiChanged = {
  readonly entry: ApiEntry
  readonly status: ApiStatus
}

/** The shape UndoPreview of the HTTP API. */
export type ApiUndoPreview = {
  readonly seq?: number
  readonly status: ApiStatus
}

/** The shape CompactResult of the HTTP API. */
export type ApiCompactResult = {
  /** The id under which the compaction ran */
  readonly id: string
  readonly compacted: boolean
  readonly outcome: 'compacted' | 'skipped' | 'failed' | 'cancelled'
  readonly reason: string
  readonly skip?: string
  readonly text: string
  /** The entry of the compaction */
  readonly seq?: number
  /** The messages of the view after it */
  readonly messages: readonly (ApiMessage)[]
  readonly tokens_before: number
  readonly tokens_after: number
  readonly messages_removed: number
  /** How many messages of the context before it stand before the cut */
  readonly cut?: number
  readonly summary: string
  readonly rung?: 'mask' | 'warm' | 'cold' | 'digest' | 'squeeze'
  readonly model?: string
  readonly usage?: ApiUsage
  readonly cost?: number
  /** Why no model’s summary was taken, where one was asked and a digest had to do */
  readonly refusal?: string
  readonly flagged: readonly (string)[]
  /** Tokens of the newest messages that do not fit, and the entries that have them whole */
  readonly left_out?: {
    readonly tokens: number
    readonly seqs: readonly (number)[]
  }
  readonly read_files: readonly (string)[]
  readonly modified_files: readonly (string)[]
}

/** The shape CompactPreview of the HTTP API. */
export type ApiCompactPreview = {
  readonly dry_run: true
  readonly would_compact: boolean
  readonly reason: string
  readonly skip?: string
  readonly tokens: number
  /** The place of an entry in the log of its session */
  readonly from?: number
  /** The place of an entry in the log of its session */
  readonly up_to?: number
  /** Messages that a summary would replace */
  readonly messages?: number
  readonly span_tokens?: number
  /** The messages that would stay unchanged */
  readonly kept?: readonly (ApiMessage)[]
  readonly squeezed?: readonly (number)[]
  readonly estimated_cost?: number
}

/** The shape Compact of the HTTP API. */
export type ApiCompact = {
  readonly policy?: ApiPolicy
  readonly focus?: string
  /** The model that writes the summary of this compaction */
  readonly model?: string
  /** How many of the last messages stay unchanged */
  readonly preserve_count?: number
  /** Only preview what the compaction would do and cost */
  readonly dry_run?: boolean
  /** `due`: compact only if an automatic compaction would run now */
  readonly when?: 'now' | 'due'
}

/** The shape CompactionDetail of the HTTP API. */
export type ApiCompactionDetail = ApiCompaction & {
  /** The place of an entry in the log of its session */
  readonly from: number
  /** The place of an entry in the log of its session */
  readonly up_to: number
  /** How many messages of the log the record stands for, those behind an earlier record included. Servers up to 0.2 do not tell it */
  readonly stands_for?: number
  readonly keep: readonly (number)[]
  /** The current text: after an edit, the user’s */
  readonly summary: string
  /** All that the model sees in the place of the messages, facts included */
  readonly record: string
  /** The record that this one took the place of, as it was */
  readonly earlier?: {
    /** The place of an entry in the log of its session */
    readonly seq: number
    readonly record: string
  }
  readonly edited: boolean
  readonly focus?: string
  /** Names in the summary that its source does not contain */
  readonly flagged: readonly (string)[]
  /** The facts that the index has about the span */
  readonly facts: readonly (ApiFact)[]
  /** A page of the messages that the summary replaced */
  readonly before: readonly (ApiPlacedEntry)[]
  readonly before_total: number
  /** The messages that replaced them */
  readonly after: readonly (ApiMessage)[]
}

/** The shape Fact of the HTTP API. */
export type ApiFact = {
  readonly kind: 'file' | 'command' | 'error' | 'todo' | 'user' | 'constraint' | 'identifier'
  readonly text: string
  readonly detail?: string
  /** The entries that the fact came from */
  readonly seqs: readonly (number)[]
}

/** The shape Compaction of the HTTP API. */
export type ApiCompaction = {
  /** The place of an entry in the log of its session */
  readonly seq: number
  /** Milliseconds since 1970 */
  readonly at: number
  readonly reason: 'manual' | 'threshold' | 'overflow' | 'limit'
  readonly rung: 'mask' | 'warm' | 'cold' | 'digest' | 'squeeze'
  readonly tokens_before: number
  readonly tokens_after: number
  readonly messages_removed: number
  readonly model?: string
  readonly usage?: ApiUsage
  readonly cost?: number
  /** Why no model’s summary was taken, where one was asked and a digest had to do */
  readonly refusal?: string
  readonly undone: boolean
}

/** The shape Loss of the HTTP API. */
export type ApiLoss = {
  /** All that is lost; `messages` has the first of them */
  readonly total: number
  readonly tokens: number
  /** Those that are likely to matter first */
  readonly messages: readonly (ApiLostMessage)[]
}

/** The shape LostMessage of the HTTP API. */
export type ApiLostMessage = {
  /** The place of an entry in the log of its session */
  readonly seq: number
  readonly role: 'user' | 'assistant' | 'tool' | 'system'
  /** A path, a command, or its first words */
  readonly name: string
  readonly tokens: number
  readonly first_line: string
  /** Why it stands where it does, the strongest reason first */
  readonly why: readonly (string)[]
  /** An earlier compaction that had already taken it out */
  readonly since?: number
  /** The entries that come back with it: a call and its results */
  readonly step: readonly (number)[]
  readonly step_tokens: number
  /** Why it cannot be put back now */
  readonly does_not_fit?: string
}

/** One event of the stream. `id` is for the next `lastEventId`. */
export type ApiSessionEvent =
  | { readonly event: 'entry'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly seq: number
    readonly entry: {
      readonly id: string
      readonly seq: number
      readonly at: number
      readonly type: 'message' | 'compaction' | 'mask' | 'squeeze' | 'edit' | 'undo' | 'repair' | 'redact' | 'pin' | 'attempt' | 'void' | 'settings' | 'todo' | 'checkpoint'
      readonly [name: string]: unknown
    }
  } }
  | { readonly event: 'bad-row'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly seq: number
    readonly [name: string]: unknown
  } }
  | { readonly event: 'session.compacted'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly seq: number
    readonly at: number
    readonly tokens_before: number
    readonly tokens_after: number
    readonly tokens_saved: number
    readonly reason: string
    readonly rung: string
    readonly messages_removed: number
    readonly text: string
    readonly [name: string]: unknown
  } }
  | { readonly event: 'compaction.started'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly automatic?: boolean
    readonly reason: 'manual' | 'threshold' | 'overflow' | 'limit'
    readonly tokens: number
    readonly messages: number
    readonly estimated_cost?: number
    readonly [name: string]: unknown
  } }
  | { readonly event: 'compaction.progress'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly automatic?: boolean
    readonly step: 'start' | 'rung' | 'chunk' | 'text' | 'retry' | 'refused' | 'done'
    readonly rung?: 'mask' | 'warm' | 'cold' | 'digest' | 'squeeze'
    readonly model?: string
    readonly chunk?: number
    readonly of?: number
    readonly text?: string
    readonly in_ms?: number
    readonly reason?: string
    readonly [name: string]: unknown
  } }
  | { readonly event: 'compaction.failed'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly seq?: number
    readonly at?: number
    readonly reason: string
    readonly code?: string
    readonly [name: string]: unknown
  } }
  | { readonly event: 'compaction.cancelled'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly seq?: number
    readonly at?: number
    readonly reason: string
    readonly code?: string
    readonly [name: string]: unknown
  } }
  | { readonly event: 'compaction.skipped'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly seq?: number
    readonly at?: number
    readonly reason: string
    readonly code?: string
    readonly [name: string]: unknown
  } }
  | { readonly event: 'answer.void'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly seq?: number
    readonly at?: number
    readonly reason: string
    readonly [name: string]: unknown
  } }
  | { readonly event: 'masked'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly seq: number
    readonly at: number
    readonly tokens_before: number
    readonly tokens_after: number
    readonly tokens_saved: number
    readonly targets: readonly (number)[]
    readonly [name: string]: unknown
  } }
  | { readonly event: 'squeezed'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly seq: number
    readonly at: number
    readonly [name: string]: unknown
  } }
  | { readonly event: 'edited'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly seq: number
    readonly at: number
    readonly of: number
    readonly summary: string
    readonly [name: string]: unknown
  } }
  | { readonly event: 'undone'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly seq: number
    readonly at: number
    readonly of: number
    readonly [name: string]: unknown
  } }
  | { readonly event: 'redone'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly seq: number
    readonly at: number
    readonly of: number
    readonly [name: string]: unknown
  } }
  | { readonly event: 'repaired'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly seq: number
    readonly at: number
    readonly [name: string]: unknown
  } }
  | { readonly event: 'redacted'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly seq: number
    readonly at: number
    readonly target: number
    readonly [name: string]: unknown
  } }
  | { readonly event: 'pinned'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly seq: number
    readonly at: number
    readonly target: number
    readonly [name: string]: unknown
  } }
  | { readonly event: 'unpinned'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly seq: number
    readonly at: number
    readonly target: number
    readonly [name: string]: unknown
  } }
  | { readonly event: 'settings'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly seq: number
    readonly at: number
    readonly [name: string]: unknown
  } }
  | { readonly event: 'todos'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly seq: number
    readonly at: number
    readonly items: readonly (unknown)[]
    readonly [name: string]: unknown
  } }
  | { readonly event: 'files-kept'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly seq: number
    readonly at: number
    readonly files: readonly (unknown)[]
    readonly [name: string]: unknown
  } }

/** One event of the stream. `id` is for the next `lastEventId`. */
export type ApiAnyEvent =
  | { readonly event: 'ready'; readonly id?: number; readonly data: Record<string, never> }
  | { readonly event: 'session.changed'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly seq: number
    readonly type: string
  } }
  | { readonly event: 'session.compacted'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly seq: number
    readonly at: number
    readonly tokens_before: number
    readonly tokens_after: number
    readonly tokens_saved: number
    readonly reason: string
    readonly rung: string
    readonly messages_removed: number
    readonly text: string
    readonly [name: string]: unknown
  } }

/** One event of the stream. `id` is for the next `lastEventId`. */
export type ApiTurnEvent =
  | { readonly event: 'turn.stored'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly id: string
    readonly seq?: number
  } }
  | { readonly event: 'turn.waiting'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly id: string
    readonly running: {
      readonly kind: 'compaction' | 'turn' | 'other'
      readonly id: string
    }
  } }
  | { readonly event: 'turn.started'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly id: string
  } }
  | { readonly event: 'step.started'; readonly id?: number; readonly data: {
    readonly step: number
  } }
  | { readonly event: 'text'; readonly id?: number; readonly data: {
    readonly text: string
  } }
  | { readonly event: 'reasoning'; readonly id?: number; readonly data: {
    readonly text: string
  } }
  | { readonly event: 'tool.input'; readonly id?: number; readonly data: {
    readonly tool_call_id: string
    readonly tool_name: string
  } }
  | { readonly event: 'retry'; readonly id?: number; readonly data: {
    readonly attempt: number
    readonly in_ms: number
    readonly reason: string
  } }
  | { readonly event: 'answer.void'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly seq?: number
    readonly at?: number
    readonly reason: string
    readonly [name: string]: unknown
  } }
  | { readonly event: 'entry'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly seq: number
    readonly entry: {
      readonly id: string
      readonly seq: number
      readonly at: number
      readonly type: 'message' | 'compaction' | 'mask' | 'squeeze' | 'edit' | 'undo' | 'repair' | 'redact' | 'pin' | 'attempt' | 'void' | 'settings' | 'todo' | 'checkpoint'
      readonly [name: string]: unknown
    }
  } }
  | { readonly event: 'question'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly id: string
    readonly tool_call_id: string
    readonly action: 'read' | 'edit' | 'command' | 'tool'
    readonly target: string
    readonly outside: boolean
    readonly diff?: string
  } }
  | { readonly event: 'question.closed'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly id: string
  } }
  | { readonly event: 'tool.started'; readonly id?: number; readonly data: {
    readonly tool_call_id: string
    readonly tool_name: string
    readonly request?: {
      readonly diff?: string
      readonly [name: string]: unknown
    }
    readonly [name: string]: unknown
  } }
  | { readonly event: 'tool.output'; readonly id?: number; readonly data: {
    readonly tool_call_id: string
    readonly text: string
  } }
  | { readonly event: 'tool.finished'; readonly id?: number; readonly data: {
    readonly tool_call_id: string
    readonly tool_name: string
    readonly is_error: boolean
    readonly [name: string]: unknown
  } }
  | { readonly event: 'compaction.started'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly automatic?: boolean
    readonly reason: 'manual' | 'threshold' | 'overflow' | 'limit'
    readonly tokens: number
    readonly messages: number
    readonly estimated_cost?: number
    readonly [name: string]: unknown
  } }
  | { readonly event: 'compaction.progress'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly automatic?: boolean
    readonly step: 'start' | 'rung' | 'chunk' | 'text' | 'retry' | 'refused' | 'done'
    readonly rung?: 'mask' | 'warm' | 'cold' | 'digest' | 'squeeze'
    readonly model?: string
    readonly chunk?: number
    readonly of?: number
    readonly text?: string
    readonly in_ms?: number
    readonly reason?: string
    readonly [name: string]: unknown
  } }
  | { readonly event: 'compaction.ended'; readonly id?: number; readonly data: {
    readonly id: string
    readonly compacted: boolean
    readonly outcome: 'compacted' | 'skipped' | 'failed' | 'cancelled'
    readonly reason: string
    readonly skip?: string
    readonly text: string
    readonly seq?: number
    readonly messages: readonly ({
      readonly role: 'system' | 'user' | 'assistant' | 'tool'
      readonly content: string | readonly ({
        readonly type: string
        readonly [name: string]: unknown
      })[]
      readonly [name: string]: unknown
    })[]
    readonly tokens_before: number
    readonly tokens_after: number
    readonly messages_removed: number
    readonly cut?: number
    readonly summary: string
    readonly rung?: 'mask' | 'warm' | 'cold' | 'digest' | 'squeeze'
    readonly model?: string
    readonly usage?: {
      readonly input_tokens: number
      readonly output_tokens: number
      readonly cache_read_tokens?: number
      readonly cache_write_tokens?: number
      readonly cache_write_hour_tokens?: number
      readonly reasoning_tokens?: number
    }
    readonly cost?: number
    readonly refusal?: string
    readonly flagged: readonly (string)[]
    readonly left_out?: {
      readonly tokens: number
      readonly seqs: readonly (number)[]
    }
    readonly read_files: readonly (string)[]
    readonly modified_files: readonly (string)[]
    readonly session_id: string
    readonly automatic: boolean
  } }
  | { readonly event: 'status'; readonly id?: number; readonly data: {
    readonly status: {
      readonly tokens: number
      readonly window?: number
      readonly percent?: number
      readonly known: boolean
      readonly source: 'provider' | 'estimate'
      readonly level: 'normal' | 'warning' | 'critical' | 'unknown'
      readonly doubted?: number
    }
  } }
  | { readonly event: 'notice'; readonly id?: number; readonly data: {
    readonly text: string
  } }
  | { readonly event: 'turn.ended'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly id: string
    readonly seq?: number
    readonly end: {
      readonly reason: 'done' | 'aborted' | 'failed' | 'refused' | 'step-limit' | 'context-limit'
      readonly text: string
      readonly answer: string
      readonly steps: number
      readonly usage?: {
        readonly input_tokens: number
        readonly output_tokens: number
        readonly cache_read_tokens?: number
        readonly cache_write_tokens?: number
        readonly cache_write_hour_tokens?: number
        readonly reasoning_tokens?: number
      }
      readonly cost?: number
    }
  } }

/** One event of the stream. `id` is for the next `lastEventId`. */
export type ApiCompactEvent =
  | { readonly event: 'compaction.started'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly automatic?: boolean
    readonly reason: 'manual' | 'threshold' | 'overflow' | 'limit'
    readonly tokens: number
    readonly messages: number
    readonly estimated_cost?: number
    readonly [name: string]: unknown
  } }
  | { readonly event: 'compaction.progress'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly automatic?: boolean
    readonly step: 'start' | 'rung' | 'chunk' | 'text' | 'retry' | 'refused' | 'done'
    readonly rung?: 'mask' | 'warm' | 'cold' | 'digest' | 'squeeze'
    readonly model?: string
    readonly chunk?: number
    readonly of?: number
    readonly text?: string
    readonly in_ms?: number
    readonly reason?: string
    readonly [name: string]: unknown
  } }
  | { readonly event: 'compaction.skipped'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly seq?: number
    readonly at?: number
    readonly reason: string
    readonly code?: string
    readonly [name: string]: unknown
  } }
  | { readonly event: 'compaction.failed'; readonly id?: number; readonly data: {
    readonly session_id: string
    readonly seq?: number
    readonly at?: number
    readonly reason: string
    readonly code?: string
    readonly [name: string]: unknown
  } }
  | { readonly event: 'compaction.ended'; readonly id?: number; readonly data: {
    readonly id: string
    readonly compacted: boolean
    readonly outcome: 'compacted' | 'skipped' | 'failed' | 'cancelled'
    readonly reason: string
    readonly skip?: string
    readonly text: string
    readonly seq?: number
    readonly messages: readonly ({
      readonly role: 'system' | 'user' | 'assistant' | 'tool'
      readonly content: string | readonly ({
        readonly type: string
        readonly [name: string]: unknown
      })[]
      readonly [name: string]: unknown
    })[]
    readonly tokens_before: number
    readonly tokens_after: number
    readonly messages_removed: number
    readonly cut?: number
    readonly summary: string
    readonly rung?: 'mask' | 'warm' | 'cold' | 'digest' | 'squeeze'
    readonly model?: string
    readonly usage?: {
      readonly input_tokens: number
      readonly output_tokens: number
      readonly cache_read_tokens?: number
      readonly cache_write_tokens?: number
      readonly cache_write_hour_tokens?: number
      readonly reasoning_tokens?: number
    }
    readonly cost?: number
    readonly refusal?: string
    readonly flagged: readonly (string)[]
    readonly left_out?: {
      readonly tokens: number
      readonly seqs: readonly (number)[]
    }
    readonly read_files: readonly (string)[]
    readonly modified_files: readonly (string)[]
    readonly session_id: string
    readonly automatic: boolean
  } }

/** What each route takes and gives. */
export type ApiOperations = {
  /** Change the title, the model or the policy of a session */
  changeSession: {
    input: { id: string; body: ApiChangeSession }
    output: Promise<ApiSessionDetail>
  }
  /** Delete a session; its forks keep the entries that they share */
  deleteSession: {
    input: { id: string }
    output: Promise<{
      readonly entries: number
      readonly kept_for_forks: number
    }>
  }
  /** A session and its state: how full the context is, to-dos, files */
  getSession: {
    input: { id: string }
    output: Promise<ApiSessionDetail>
  }
  /** Create a session */
  createSession: {
    input: { body?: ApiCreateSession; idempotencyKey?: string }
    output: Promise<ApiSessionDetail>
  }
  /** The sessions of this token, the most recently changed first */
  listSessions: {
    input: { query?: { q?: string; limit?: number; before?: string } }
    output: Promise<{
      readonly sessions: readonly (ApiSession)[]
      readonly next?: string
    }>
  }
  /** Export the whole log in our own format, or the current view in the format of another agent */
  exportSession: {
    input: { id: string; query?: { format?: 'pith' | 'claude-code' | 'codex' | 'pi' | 'markdown' | 'openai-responses' | 'openai-chat' | 'anthropic' | 'ai-sdk' } }
    output: Promise<string>
  }
  /** Fork a session: the new one shares its entries up to a seq */
  forkSession: {
    input: { id: string; body?: {
      readonly seq?: number | null
      readonly title?: string
    }; idempotencyKey?: string }
    output: Promise<ApiSessionDetail>
  }
  /** Import an export of ours or a session file of any agent; the format is detected */
  importSession: {
    input: { body: string; idempotencyKey?: string }
    output: Promise<{
      readonly session: ApiSessionDetail
      readonly entries: number
      readonly issues: readonly ({
        readonly line: number
        readonly reason: string
      })[]
    }>
  }
  /** The sessions of other agents on this machine, the most recently changed first; for its owner alone */
  listAgentSessions: {
    input: { query?: { limit?: number } }
    output: Promise<{
      readonly sessions: readonly (ApiAgentSession)[]
    }>
  }
  /** How full the contexts of several sessions are */
  listStatuses: {
    input: { query: { sessions: string } }
    output: Promise<{
      readonly statuses: readonly ({
        readonly session_id: string
        readonly last_seq: number
        readonly status: ApiStatus
      })[]
    }>
  }
  /** Overwrite the content of an entry and all that was made from it; this cannot be undone */
  redactEntry: {
    input: { id: string; body: {
      readonly seq: number
      /** More entries to redact, such as those of `same_text`: one request is far quicker than many */
      readonly also?: readonly (number)[]
      /** Redact nothing: only answer with `same_text` */
      readonly dry_run?: boolean
    }; idempotencyKey?: string }
    output: Promise<{
      readonly entry: ApiEntry
      /** Other messages that repeat its text, or a word of it that looks like a secret. They stay */
      readonly same_text: readonly (number)[]
    } | {
      readonly dry_run: true
      /** Other messages that repeat its text, or a word of it that looks like a secret. They stay */
      readonly same_text: readonly (number)[]
    }>
  }
  /** End a link at once, for all who have it */
  endLink: {
    input: { id: string; link: string }
    output: Promise<{
      readonly ended: boolean
    }>
  }
  /** The read-only links to the session that have not ended */
  listLinks: {
    input: { id: string }
    output: Promise<{
      readonly links: readonly (ApiSessionLink)[]
    }>
  }
  /** Make a link that shows the session to whoever has it, and nothing else */
  makeLink: {
    input: { id: string; body?: {
      /** How long it is valid; 168 (a week) when absent */
      readonly hours?: number
    } }
    output: Promise<ApiNewSessionLink>
  }
  /** All sessions of this token: how full they are, what they spent by day, tool and file, what went wrong */
  getOverview: {
    input: { query?: { agent?: string; model?: string; folder?: string; level?: 'normal' | 'warning' | 'critical' | 'unknown'; min_cost?: number; problems?: 'true' | 'false'; q?: string; sort?: 'changed' | 'cost' | 'fill'; limit?: number; offset?: number } }
    output: Promise<ApiOverview>
  }
  /** Search what was ever said in all sessions of this token, the newest first */
  searchSessions: {
    input: { query: { agent?: string; model?: string; folder?: string; level?: 'normal' | 'warning' | 'critical' | 'unknown'; min_cost?: number; problems?: 'true' | 'false'; q: string; limit?: number } }
    output: Promise<{
      readonly hits: readonly (ApiSearchHit)[]
      /** There are more than these */
      readonly more: boolean
    }>
  }
  /** Answer a permission question of the running turn, whichever process runs it */
  answerTurn: {
    input: { id: string; body: ApiAnswer }
    output: Promise<{
      readonly answered: boolean
    }>
  }
  /** Append messages of your own agent; no model is called */
  appendMessages: {
    input: { id: string; body: ApiAppendMessages; idempotencyKey?: string }
    output: Promise<{
      readonly seqs: readonly (number)[]
      readonly status: ApiStatus
      /** POST …/compact with `when: due` would compact now */
      readonly compaction_due: boolean
    }>
  }
  /** The log by page, each entry with its place in the view */
  listEntries: {
    input: { id: string; query?: { after?: number; before?: number; limit?: number; only?: 'messages' | 'changes' | 'all' } }
    output: Promise<{
      /** In the order of the log */
      readonly entries: readonly (ApiPlacedEntry)[]
      readonly first_seq?: number
      readonly last_seq?: number
      /** There are more entries in the requested direction */
      readonly more: boolean
    }>
  }
  /** Interrupt the running turn, whichever process runs it */
  cancelTurn: {
    input: { id: string }
    output: Promise<{
      readonly cancelled: boolean
      readonly id?: string
    }>
  }
  /** Send a message to the agent of the server; without a body the agent continues where the session stopped */
  postTurn: {
    input: { id: string; body?: ApiSay; idempotencyKey?: string }
    output: Promise<{
      readonly id: string
      readonly seq?: number
      readonly end: ApiTurnEnd
    }>
  }
  /** Send a message to the agent of the server; without a body the agent continues where the session stopped */
  postTurnEvents: {
    input: { id: string; body?: ApiSay; idempotencyKey?: string }
    output: AsyncIterable<ApiTurnEvent>
  }
  /** Give the running turn a message, which the model gets after the tool that runs, whichever process runs it */
  steerTurn: {
    input: { id: string; body: ApiSteer }
    output: Promise<{
      readonly steered: boolean
      /** The turn runs in another process: it was sent there */
      readonly queued?: true
    }>
  }
  /** Files of the session’s workspace, for the completion of a typed path */
  findFiles: {
    input: { id: string; query?: { q?: string } }
    output: Promise<{
      readonly paths: readonly (string)[]
    }>
  }
  /** How full the context is, what fills it, and when the next compaction comes */
  getContext: {
    input: { id: string }
    output: Promise<ApiContext>
  }
  /** The context over the life of the session, for a chart */
  getContextHistory: {
    input: { id: string; query?: { points?: number } }
    output: Promise<ApiContextHistory>
  }
  /** The tokens and the cost of all model calls of the session, and of its turns */
  getSpent: {
    input: { id: string; query?: { turns?: number } }
    output: Promise<ApiSpent>
  }
  /** The messages to send to a model now */
  getView: {
    input: { id: string; query?: { shape?: 'ai-sdk' | 'openai' | 'openai-responses' | 'anthropic' } }
    output: Promise<{
      readonly shape: 'ai-sdk' | 'openai' | 'openai-responses' | 'anthropic'
      readonly revision: number
      /** Blocks to append to your own system prompt */
      readonly system: readonly (string)[]
      /** In the requested shape */
      readonly messages: readonly (unknown)[]
      readonly status: ApiStatus
    }>
  }
  /** The models that the server knows, and whether each can be used */
  listModels: {
    input: { query?: never }
    output: Promise<{
      readonly models: readonly ({
        readonly name: string
        readonly context_window?: number
        readonly usable: boolean
        readonly why?: string
      })[]
    }>
  }
  /** The last requests of another agent that passed through a running gateway into this session */
  listRequests: {
    input: { id: string }
    output: Promise<{
      readonly requests: readonly (ApiGatewayRequest)[]
    }>
  }
  /** Keep a message through every later compaction; with `back`, put it back into the context if it is not there */
  pinEntry: {
    input: { id: string; seq: number; query?: { back?: 'true' | 'false' } }
    output: Promise<ApiChanged>
  }
  /** Unpin a message */
  unpinEntry: {
    input: { id: string; seq: number }
    output: Promise<ApiChanged>
  }
  /** What an undo would take back, and how full the context would be after it */
  previewUndo: {
    input: { id: string }
    output: Promise<ApiUndoPreview>
  }
  /** Undo the newest change of the view */
  undo: {
    input: { id: string; idempotencyKey?: string }
    output: Promise<ApiChanged>
  }
  /** Search the whole log, or get entries by their handles */
  recall: {
    input: { id: string; query?: { q?: string; handles?: string; limit?: number } }
    output: Promise<{
      readonly hits: readonly (ApiHit)[]
      readonly entries: readonly (ApiEntry)[]
    }>
  }
  /** Redo: undo the newest undo */
  redo: {
    input: { id: string; idempotencyKey?: string }
    output: Promise<ApiChanged>
  }
  /** Cancel the running compaction, whichever process runs it */
  cancelCompaction: {
    input: { id: string }
    output: Promise<{
      readonly cancelled: boolean
      readonly id?: string
    }>
  }
  /** Compact a session */
  compactSession: {
    input: { id: string; body?: ApiCompact; idempotencyKey?: string }
    output: Promise<ApiCompactResult | ApiCompactPreview>
  }
  /** Compact a session */
  compactSessionEvents: {
    input: { id: string; body?: ApiCompact; idempotencyKey?: string }
    output: AsyncIterable<ApiCompactEvent>
  }
  /** Replace the text of a summary; this can be undone */
  editSummary: {
    input: { id: string; seq: number; body: {
      readonly summary: string
    } }
    output: Promise<ApiChanged>
  }
  /** One compaction: the messages before and after it, its facts and flagged names */
  getCompaction: {
    input: { id: string; seq: number; query?: { after?: number; limit?: number } }
    output: Promise<ApiCompactionDetail>
  }
  /** The messages that neither the record nor the tail has, those that are likely to matter first */
  getLoss: {
    input: { id: string; seq: number; query?: { limit?: number } }
    output: Promise<ApiLoss>
  }
  /** Every compaction of the session, undone ones too */
  listCompactions: {
    input: { id: string }
    output: Promise<{
      readonly compactions: readonly (ApiCompaction)[]
    }>
  }
  /** The new events of all sessions of this token */
  allEvents: {
    input: { lastEventId?: string }
    output: AsyncIterable<ApiAnyEvent>
  }
  /** The events of a session, from any seq on */
  sessionEvents: {
    input: { id: string; query?: { after?: 'now' | number | null }; lastEventId?: string }
    output: AsyncIterable<ApiSessionEvent>
  }
  /** The process is alive */
  health: {
    input: { query?: never }
    output: Promise<{
      readonly status: 'ok'
    }>
  }
  /** Counters for Prometheus */
  metrics: {
    input: { query?: never }
    output: Promise<string>
  }
  /** The process takes work: its store answers and it is not stopping */
  ready: {
    input: { query?: never }
    output: Promise<{
      readonly status: 'ready'
    }>
  }
  /** Exchange a token, or a link that counts once, for the session cookie of a browser */
  signIn: {
    input: { body: {
      /** A token */
      readonly token?: string
      /** The text behind `#link=`, in its place */
      readonly link?: string
    } }
    output: Promise<{
      readonly name: string
      readonly owner: string
      readonly access: 'read' | 'write'
      /** The only session that it shows */
      readonly session?: string
      /** Workspaces in which tools are on */
      readonly workspaces: readonly (string)[]
      readonly version: string
    }>
  }
  /** Sign the browser out: its session cookie ends */
  signOut: {
    input: { query?: never }
    output: Promise<{
      readonly signed_out: boolean
    }>
  }
  /** The name, owner and rights of this token */
  whoami: {
    input: { query?: never }
    output: Promise<{
      readonly name: string
      readonly owner: string
      readonly access: 'read' | 'write'
      /** The only session that it shows */
      readonly session?: string
      /** Workspaces in which tools are on */
      readonly workspaces: readonly (string)[]
      readonly version: string
    }>
  }
}

/** How each route is called. */
export const OPERATIONS = {
  changeSession: {method: 'PATCH', path: '/v1/sessions/{id}', answer: 'json', type: 'application/json'},
  deleteSession: {method: 'DELETE', path: '/v1/sessions/{id}', answer: 'json'},
  getSession: {method: 'GET', path: '/v1/sessions/{id}', answer: 'json'},
  createSession: {method: 'POST', path: '/v1/sessions', answer: 'json', type: 'application/json', headers: {idempotencyKey: 'idempotency-key'}},
  listSessions: {method: 'GET', path: '/v1/sessions', answer: 'json'},
  exportSession: {method: 'GET', path: '/v1/sessions/{id}/export', answer: 'text'},
  forkSession: {method: 'POST', path: '/v1/sessions/{id}/fork', answer: 'json', type: 'application/json', headers: {idempotencyKey: 'idempotency-key'}},
  importSession: {method: 'POST', path: '/v1/sessions/import', answer: 'json', type: 'application/x-ndjson', headers: {idempotencyKey: 'idempotency-key'}},
  listAgentSessions: {method: 'GET', path: '/v1/agent-sessions', answer: 'json'},
  listStatuses: {method: 'GET', path: '/v1/statuses', answer: 'json'},
  redactEntry: {method: 'POST', path: '/v1/sessions/{id}/redact', answer: 'json', type: 'application/json', headers: {idempotencyKey: 'idempotency-key'}},
  endLink: {method: 'DELETE', path: '/v1/sessions/{id}/links/{link}', answer: 'json'},
  listLinks: {method: 'GET', path: '/v1/sessions/{id}/links', answer: 'json'},
  makeLink: {method: 'POST', path: '/v1/sessions/{id}/links', answer: 'json', type: 'application/json'},
  getOverview: {method: 'GET', path: '/v1/overview', answer: 'json'},
  searchSessions: {method: 'GET', path: '/v1/search', answer: 'json'},
  answerTurn: {method: 'POST', path: '/v1/sessions/{id}/turn/answer', answer: 'json', type: 'application/json'},
  appendMessages: {method: 'POST', path: '/v1/sessions/{id}/messages', answer: 'json', type: 'application/json', headers: {idempotencyKey: 'idempotency-key'}},
  listEntries: {method: 'GET', path: '/v1/sessions/{id}/messages', answer: 'json'},
  cancelTurn: {method: 'DELETE', path: '/v1/sessions/{id}/turn', answer: 'json'},
  postTurn: {method: 'POST', path: '/v1/sessions/{id}/turn', answer: 'json', type: 'application/json', headers: {idempotencyKey: 'idempotency-key'}},
  postTurnEvents: {method: 'POST', path: '/v1/sessions/{id}/turn', answer: 'events', type: 'application/json', headers: {idempotencyKey: 'idempotency-key'}},
  steerTurn: {method: 'POST', path: '/v1/sessions/{id}/turn/steer', answer: 'json', type: 'application/json'},
  findFiles: {method: 'GET', path: '/v1/sessions/{id}/files', answer: 'json'},
  getContext: {method: 'GET', path: '/v1/sessions/{id}/context', answer: 'json'},
  getContextHistory: {method: 'GET', path: '/v1/sessions/{id}/context/history', answer: 'json'},
  getSpent: {method: 'GET', path: '/v1/sessions/{id}/spent', answer: 'json'},
  getView: {method: 'GET', path: '/v1/sessions/{id}/view', answer: 'json'},
  listModels: {method: 'GET', path: '/v1/models', answer: 'json'},
  listRequests: {method: 'GET', path: '/v1/sessions/{id}/requests', answer: 'json'},
  pinEntry: {method: 'PUT', path: '/v1/sessions/{id}/pins/{seq}', answer: 'json'},
  unpinEntry: {method: 'DELETE', path: '/v1/sessions/{id}/pins/{seq}', answer: 'json'},
  previewUndo: {method: 'GET', path: '/v1/sessions/{id}/undo', answer: 'json'},
  undo: {method: 'POST', path: '/v1/sessions/{id}/undo', answer: 'json', headers: {idempotencyKey: 'idempotency-key'}},
  recall: {method: 'GET', path: '/v1/sessions/{id}/recall', answer: 'json'},
  redo: {method: 'POST', path: '/v1/sessions/{id}/redo', answer: 'json', headers: {idempotencyKey: 'idempotency-key'}},
  cancelCompaction: {method: 'DELETE', path: '/v1/sessions/{id}/compact', answer: 'json'},
  compactSession: {method: 'POST', path: '/v1/sessions/{id}/compact', answer: 'json', type: 'application/json', headers: {idempotencyKey: 'idempotency-key'}},
  compactSessionEvents: {method: 'POST', path: '/v1/sessions/{id}/compact', answer: 'events', type: 'application/json', headers: {idempotencyKey: 'idempotency-key'}},
  editSummary: {method: 'PUT', path: '/v1/sessions/{id}/compactions/{seq}/summary', answer: 'json', type: 'application/json'},
  getCompaction: {method: 'GET', path: '/v1/sessions/{id}/compactions/{seq}', answer: 'json'},
  getLoss: {method: 'GET', path: '/v1/sessions/{id}/compactions/{seq}/lost', answer: 'json'},
  listCompactions: {method: 'GET', path: '/v1/sessions/{id}/compactions', answer: 'json'},
  allEvents: {method: 'GET', path: '/v1/events', answer: 'events', headers: {lastEventId: 'last-event-id'}},
  sessionEvents: {method: 'GET', path: '/v1/sessions/{id}/events', answer: 'events', headers: {lastEventId: 'last-event-id'}},
  health: {method: 'GET', path: '/health', answer: 'json'},
  metrics: {method: 'GET', path: '/metrics', answer: 'text'},
  ready: {method: 'GET', path: '/ready', answer: 'json'},
  signIn: {method: 'POST', path: '/v1/sign-in', answer: 'json', type: 'application/json'},
  signOut: {method: 'DELETE', path: '/v1/sign-in', answer: 'json'},
  whoami: {method: 'GET', path: '/v1/token', answer: 'json'},
} as const
