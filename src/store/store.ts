import { PithError } from '../model/problems/errors.ts'
import type { Entry, EntryDraft, Seq } from '../model/types.ts'
import type { SearchResult } from '../search/hits.ts'
import type { IndexedSessions } from '../search/indexed-sessions.ts'

export type { Hit, SearchResult } from '../search/hits.ts'

/** The id of a session in its store. */
export type SessionId = string

/** A session. A fork shares the entries of its parent up to `seq` and continues from there. */
export type Session = {
  readonly id: SessionId
  readonly owner: string
  readonly workspace: string
  readonly title?: string
  readonly parent?: { readonly id: SessionId; readonly seq: Seq }
  readonly createdAt: number
  readonly updatedAt: number
  readonly lastSeq: Seq
  /** The last entry that changed the view other than by appending a message. A commit is checked against it. */
  readonly revision: Seq
}

/** A session before the store has given it an id and times. */
export type SessionDraft = {
  readonly owner: string
  readonly workspace: string
  readonly title?: string
  readonly parent?: { readonly id: SessionId; readonly seq: Seq }
  /** A second creation with the same key creates nothing and returns the first session. */
  readonly key?: string
  /** When an imported session began; by default now. */
  readonly createdAt?: number
}

/** The most recently changed sessions first. `text` is searched in title and workspace, `before` is the `next` of a page. */
export type SessionQuery = {
  readonly owner?: string
  readonly workspace?: string
  /** Only sessions that this process was the last to mark. Those of `SIDE_HOLDER` and `TASK_HOLDER` are in no other list. */
  readonly holder?: string
  /** Only sessions that a process has marked: those that a gateway recorded. */
  readonly isChained?: true
  readonly text?: string
  /** Only sessions to which nothing was appended since this time, and in which no process works now. */
  readonly unusedSince?: number
  readonly limit?: number
  readonly before?: string
}

/** Holds the sessions that only count requests which agents make beside their conversations, such as for a title. */
export const SIDE_HOLDER = 'side'

/**
 * Holds the sessions of sub-agents. Their `parent` is the session that started them, of which they share no entry (`seq` 0). They
 * are deleted together with it and its forks.
 */
export const TASK_HOLDER = 'task'

/** Some sessions; `next` is there when more follow. */
export type SessionPage = { readonly sessions: readonly Session[]; readonly next?: string }

/** Which entries of a session are read, including those that a fork shares. All bounds are inclusive. */
export type EntryQuery = {
  readonly from?: Seq
  readonly upTo?: Seq
  readonly seqs?: readonly Seq[]
  /** Messages, or everything else; both when absent. */
  readonly only?: 'messages' | 'changes'
  readonly order?: 'oldest' | 'newest'
  readonly limit?: number
  /** Compactions come without their summaries and facts, which are the bulk of a long session's changes. */
  readonly light?: boolean
  /** Messages come with the raw output of commands. It is large, so other queries leave it out. */
  readonly raw?: boolean
}

/** A row that cannot be read. It is set aside, and the rest of the session opens. */
export type BadRow = { readonly seq: Seq; readonly id: string; readonly reason: string }

/** Entries in the order of their seq, whatever the order of the query. */
export type EntryPage = { readonly entries: readonly Entry[]; readonly bad: readonly BadRow[] }

/** `superseded`: the view has changed since the plan. `refused`: the guard said why. */
export type AppendResult =
  | { readonly ok: true; readonly entries: readonly Entry[]; readonly before?: SizesBefore }
  | { readonly ok: false; readonly reason: 'superseded'; readonly revision: Seq }
  | { readonly ok: false; readonly reason: 'refused'; readonly why: string }

/** The size of a session up to an entry, as JSON. The store does not know its meaning. */
export type StoredSize = { readonly upTo: Seq; readonly body: string }

/** The sizes in an append, as JSON. */
export type AppendSizes = {
  /** Those of the drafts. They are stored with the entries. */
  readonly drafts: readonly string[]
  /** The size of the session that the caller has, up to this entry. If it is absent, the one that was kept is returned. */
  readonly since?: Seq
  /** That size, to be kept with the session. */
  readonly keep?: string
}

/**
 * The sizes of the entries between those that were counted and those that were appended; null for an entry that was stored
 * without one. The answer to an append, so that it need not read the session.
 */
export type SizesBefore = { readonly kept?: StoredSize; readonly sizes: readonly (string | null)[] }

/** The most entries whose sizes an append returns. With more there is no answer, and the caller reads the session. */
export const MOST_SIZES = 200

/** The condition under which entries are appended, and the key that makes a second try harmless. */
export type AppendOptions = {
  /** The revision that the drafts were planned on. If the session has another one, none is appended. */
  readonly revision?: Seq
  /**
   * Checks, inside the transaction, the entries that were appended after `since`. If it returns a reason, the append is refused
   * with that reason. It must not touch the store.
   */
  readonly guard?: { readonly since: Seq; readonly check: (later: readonly Entry[]) => string | undefined }
  /** A second append with the same key does nothing and returns the entries of the first. */
  readonly key?: string
  /** Marks the places of the new entries: `values[i]` is the hash of the conversation up to the entry of draft `i`. */
  readonly chain?: { readonly holder: string; readonly values: readonly string[] }
  /** The token of a pause: this append does not wait for its end. */
  readonly pause?: string
  /** The times of the drafts, if they are older than this append. */
  readonly times?: readonly number[]
  /** The sizes of the drafts. The result then has the sizes of the entries before them, unless the key was used before. */
  readonly sizes?: AppendSizes
}

/** A hash of the beginning of a conversation, and the entry that this beginning ends with. */
export type ChainMark = { readonly value: string; readonly seq: Seq }

/** A mark as it is found again. The holder is the process that marked its session last. */
export type ChainPlace = ChainMark & {
  readonly session: SessionId
  readonly holder: string
  /** No later entry of the session is marked. */
  readonly isEnd: boolean
}

/** A search as it is typed (`readQuery` in the room `search` says how), and the sessions to search in. */
export type SearchQuery = {
  readonly text: string
  readonly session?: SessionId
  /** In a search of `session`: sessions of the same owner that are searched together with it, such as those of its sub-agents. */
  readonly with?: readonly SessionId[]
  /** In a search without `session`: only these sessions. */
  readonly among?: readonly SessionId[]
  readonly owner?: string
  /** In a search without `session`: other sessions that are searched together with these, and ranked with them. */
  readonly beside?: IndexedSessions
  readonly limit?: number
  /** How many of the best hits are left out: those of the pages before. */
  readonly offset?: number
}

/**
 * A summary of the view, ready to use: its text with the message that the model sees, and the facts of all spans that it
 * replaces, each as JSON. It is kept next to the log, because merging all those facts takes long.
 */
export type StoredSummary = { readonly seq: Seq; readonly body: string; readonly facts: string }

/**
 * The counts of a session's log up to an entry, as JSON. They are kept next to the log, because a list of many sessions cannot
 * read every log. The store does not know their meaning.
 */
export type StoredAccount = { readonly session: SessionId; readonly upTo: Seq; readonly body: string }

/** A lease keeps two processes from doing the same work. It does not protect the log. It expires when its process dies. */
export type Lease = { readonly ok: true; readonly token: string } | ({ readonly ok: false } & LeaseHolder)

/** The holder of a lease that has not expired, and when it does. */
export type LeaseHolder = { readonly holder: string; readonly expiresAt: number }

/** The news that a session has grown up to this entry. */
export type LogChange = { readonly session: SessionId; readonly seq: Seq }

/**
 * A short-lived message to the process that works in a session. It is not in the log. The store does not know the meaning of
 * the kinds.
 */
export type Signal = { readonly session: SessionId; readonly kind: string; readonly body: string }

/** A signal as it is stored, with the number of its row. */
export type StoredSignal = Signal & { readonly row: number }

/** How long a signal waits for a process that serves it. */
export const SIGNAL_MS = 60_000

/** A token of servers: the hash of its secret, its name, and its rights as JSON. The store does not know their meaning. */
export type StoredToken = { readonly hash: string; readonly name: string; readonly body: string }

/** A right that was made from a token, by the hash of its secret. `token` is the hash of the token's. */
export type StoredGrant = {
  readonly hash: string
  readonly token: string
  readonly kind: string
  /** The only session that it is for. */
  readonly session?: SessionId
  readonly expiresAt: number
}

/** All tokens and grants, and the version that changes with each of them. */
export type AccessRows = {
  readonly version: number
  /** In the order in which they were made. */
  readonly tokens: readonly StoredToken[]
  readonly grants: readonly StoredGrant[]
}

/** The use of the server's own model keys by a token on a day (`2026-11-18`). `cost` is in US dollars. */
export type TokenSpending = {
  readonly token: string
  readonly day: string
  readonly cost: number
  readonly tokens: number
}

/**
 * How many entries a deletion removed, with the bytes of their texts, and how many of the session's entries stay because forks
 * share them. What earlier deletions kept for this session alone is removed with it, and counts.
 */
export type DeleteResult = { readonly entries: number; readonly bytes: number; readonly keptForForks: number }

/** The result of a deletion that was not done, and the sessions of which forks would keep entries. */
export type DeleteMeasure = Omit<DeleteResult, 'keptForForks'> & {
  readonly kept: readonly { readonly session: SessionId; readonly entries: number }[]
}

/**
 * Sessions in a database. Every method does all of its work or nothing. Entries that `append` has returned survive a crash of
 * the process and of the machine.
 */
export type Store = {
  createSession(draft: SessionDraft): Promise<Session>
  session(id: SessionId): Promise<Session | undefined>
  sessions(query?: SessionQuery): Promise<SessionPage>
  /** Appends the title as a `settings` entry. */
  renameSession(id: SessionId, title: string): Promise<void>
  deleteSession(id: SessionId): Promise<DeleteResult>
  /**
   * Deletes the session, unless something was appended to it since this time, a process works in it, or it is gone already: then
   * the answer is undefined.
   */
  deleteUnused(id: SessionId, since: number): Promise<DeleteResult | undefined>
  /** The result that a deletion of all these sessions would have. Nothing is deleted. */
  measureDeletion(ids: readonly SessionId[]): Promise<DeleteMeasure>
  /** Those of these sessions whose entries are stored: also deleted ones, if forks share their entries. */
  storedAmong(ids: readonly SessionId[]): Promise<ReadonlySet<SessionId>>
  /**
   * Takes a task that one process at a time does for all, for this long. False if another holder has taken it. Nobody gives it
   * back: a task that is taken for an hour is done at most once an hour.
   */
  takeTask(name: string, holder: string, ms: number): Promise<boolean>
  /** Gives the drafts their id, seq and time, and appends them in one transaction. */
  append(id: SessionId, drafts: readonly EntryDraft[], options?: AppendOptions): Promise<AppendResult>
  /** The entries that an append with this key has added; undefined when there was no such append. */
  appended(id: SessionId, key: string): Promise<readonly Entry[] | undefined>
  entries(id: SessionId, query?: EntryQuery): Promise<EntryPage>
  /**
   * Overwrites the texts of entries everywhere they are stored and indexed, and everything that was made from them: titles,
   * to-dos, facts and summaries, but no other message. Appends a redaction of each to every session that shares it, and returns
   * those of this session. No search finds the texts any more. In SQLite the search index still has their words: these are
   * removed within seconds after the last redaction, or when the store is closed. If the file is locked or the process is killed
   * then, the next store that has the file open removes them.
   */
  redact(id: SessionId, seqs: readonly Seq[]): Promise<readonly Entry[]>
  /** The summaries that were kept for the view of this revision. */
  summaries(id: SessionId, revision: Seq): Promise<readonly StoredSummary[]>
  /** Replaces all kept summaries of the session with these, unless its view has changed since `revision`. */
  keepSummaries(id: SessionId, revision: Seq, summaries: readonly StoredSummary[]): Promise<void>
  /** The accounts that were kept of these sessions. A redaction deletes them. */
  accounts(ids: readonly SessionId[]): Promise<readonly StoredAccount[]>
  /** Replaces the session's kept account, unless the session has grown since. */
  keepAccount(account: StoredAccount): Promise<void>
  /** The places that these values were marked with, in any session. */
  chainPlaces(values: readonly string[]): Promise<readonly ChainPlace[]>
  /** Marks entries that are in the log already, such as those that a fork shares. */
  markChain(id: SessionId, marks: readonly ChainMark[], holder: string): Promise<void>
  /** The entries that match, the best first. The same hits in the same order on every database. */
  search(query: SearchQuery): Promise<SearchResult>
  acquireLease(id: SessionId, holder: string, ttlMs: number): Promise<Lease>
  releaseLease(id: SessionId, token: string): Promise<void>
  /** Reads who holds the lease of a session now, without taking it. */
  lease(id: SessionId): Promise<LeaseHolder | undefined>
  /**
   * Lets the appends of all others wait for up to `ms`, at most ten seconds, so that a compaction can finish while they write
   * all the time. Returns the token that an append needs meanwhile, or undefined if there is a pause already.
   */
  pauseAppends(id: SessionId, ms: number): Promise<string | undefined>
  resumeAppends(id: SessionId, token: string): Promise<void>
  /**
   * Calls the listener for every append, also of other processes: once for each entry, in the order of each session's
   * seq. Returns a function that stops the calls.
   */
  subscribe(listener: (change: LogChange) => void): () => void
  /**
   * Resolves when every append that is done from then on reaches the listeners. Only a store that listens when somebody subscribes
   * needs that time.
   */
  hearing?(): Promise<void>
  /** Sends a signal to all who receive signals on this database, in this process and in others. */
  sendSignal(signal: Signal): Promise<void>
  /**
   * Calls the listener for every signal that is sent from now on. A listener that returns true has served the signal: it is
   * deleted, and may not reach other processes any more. Returns a function that stops the calls.
   */
  receiveSignals(listener: (signal: Signal) => boolean): () => void
  /** The tokens and grants of servers; undefined if they still have the version that the caller knows. */
  access(known?: number): Promise<AccessRows | undefined>
  /** Adds a token; false if its name is in use, or if there is or was a token with its hash. */
  addToken(token: StoredToken): Promise<boolean>
  /** Replaces the rights of the token with this name; false if there is none. */
  changeToken(name: string, body: string): Promise<boolean>
  /** Removes a token and its grants, for good; false if there is none with this name. */
  removeToken(name: string): Promise<boolean>
  /** Adds a grant, and deletes those that have expired; false if its token was removed. */
  addGrant(grant: StoredGrant): Promise<boolean>
  /** Removes a grant; false if another caller was first, or there is none. */
  removeGrant(hash: string): Promise<boolean>
  /** Adds to the token's spending of the day, and returns the sum. */
  addSpending(spending: TokenSpending): Promise<TokenSpending>
  /** The spending of all tokens on a day. */
  spending(day: string): Promise<readonly TokenSpending[]>
  /** Ends all calls that wait for the lock of another process now, with the error that they would end with later. Only on SQLite. */
  stopWaiting?(): void
  /** Rejects with `store-full` if the disk has no space for a write now. */
  checkSpace?(): Promise<void>
  /** The connections to a database server, if there is one. */
  connections?(): { readonly all: number; readonly idle: number; readonly waiting: number }
  close(): Promise<void>
}

/** The sources of ids and times, and the limits of a store. */
export type StoreDeps = {
  readonly ids: () => string
  readonly clock: () => number
  /** How long a call waits for the lock of another process on a SQLite file. Other calls continue meanwhile. */
  readonly busyMs?: number
  /** A SQLite file that may not be written is refused, or opened so that only reading works. */
  readonly unwritable?: 'refuse' | 'read'
  /** The most connections to a database server at once. */
  readonly poolSize?: number
  /** How long a statement may take on a database server; 0: no limit. */
  readonly statementMs?: number
  /** How long a database server may take to answer a statement; then its connection counts as broken. */
  readonly answerMs?: number
  /** How long a connection to a database server may take. */
  readonly connectMs?: number
  /**
   * When a store on a database server listens to the appends of other processes: from the beginning, or once somebody subscribes.
   * While no process listens, appends cost less, but a subscriber has to wait for `hearing`.
   */
  readonly listens?: 'always' | 'when-subscribed'
}

/** The owner of the terminal's sessions on this machine, and of the server's first token: the web inspector shows them. */
export const LOCAL_OWNER = 'local'

/** The error of every store for an unknown session: one line, whatever the id contains. */
export function unknownSession(id: SessionId): PithError {
  return new PithError('unknown-session', `there is no session ${id.replace(/\s+/g, ' ')}`)
}

/** True when there is no such session (any more): another process may have deleted it. */
export function isUnknownSession(error: unknown): boolean {
  return error instanceof PithError && error.code === 'unknown-session'
}
