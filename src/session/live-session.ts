import type { CleanItems } from '../engine/compact/compact-state.ts'
import { prepareDigest } from '../engine/compact/prepare-digest.ts'
import { breakerOf, type Context, type ContextSettings } from '../engine/context/context.ts'
import { extendContext, openContext, type ViewFacts, withFacts } from '../engine/context/open-context.ts'
import { changesView } from '../engine/context/view/activity.ts'
import { EMPTY_FOLD_CACHE } from '../engine/context/view/plain-view.ts'
import { withoutTakenOut } from '../engine/context/view/replaced-range.ts'
import { extendFolded } from '../engine/context/view/view-of.ts'
import { pauses } from '../fit/pauses.ts'
import type { Entry, EntryDraft, EntryOf, Seq, View } from '../model/types.ts'
import { Sequence } from '../model/values.ts'
import { loadRedactor } from '../secrets/load-redactor.ts'
import type { AppendOptions, Session, SessionId, Store } from '../store/store.ts'
import {
  type CompactSessionInput,
  compactOpenSession,
  type SessionCompactResult,
} from './compaction/compact-session.ts'
import { type OpenSession, openSession, requireSession, sessionContext, settingsIn } from './open-session.ts'

/** A session in use: its log and view are in memory and follow the appends of this and other processes. */
export class LiveSession {
  readonly store: Store
  readonly id: SessionId
  #open: OpenSession
  #log: Entry[]
  /** Made when somebody first asks for it, and kept since. */
  #context: Context | undefined
  /** Changes in memory run one after the other: parallel tool calls append at the same time. */
  #turn: Promise<unknown> = Promise.resolve()
  /** The prepared part of the next digest, and the revision of the view that it is for. */
  #digest: { readonly revision: Seq; clean?: CleanItems } | undefined

  private constructor(store: Store, open: OpenSession) {
    this.store = store
    this.id = open.session.id
    this.#open = open
    this.#log = [...open.log]
  }

  /** Opens a session. A history that no provider would accept is repaired first. */
  static async open(store: Store, id: SessionId): Promise<LiveSession> {
    return new LiveSession(store, await openSession(store, id))
  }

  get session(): Session {
    return this.#open.session
  }

  get view(): View {
    return this.#open.view
  }

  /** The part of the log that the view needs. */
  get log(): readonly Entry[] {
    return this.#log
  }

  get bad(): OpenSession['bad'] {
    return this.#open.bad
  }

  /**
   * Appends, whatever others have appended meanwhile, and adds the entries in memory without reading them again. If the key was
   * used before, it returns the entries of the first time.
   */
  append(drafts: readonly EntryDraft[], options: Pick<AppendOptions, 'key'> = {}): Promise<readonly Entry[]> {
    return this.#inTurn(async () => {
      const appended = await this.store.append(this.id, drafts, options)
      if (!appended.ok) throw new Error('unreachable: an append without conditions is not refused')
      const entries = appended.entries.map(withoutRaw)
      await this.#takeNext(entries)
      return entries
    })
  }

  /** Compacts the session as it is in memory and adds the result. Others may append meanwhile. */
  async compact(input: CompactSessionInput): Promise<SessionCompactResult> {
    await this.#turn
    const open = { ...this.#open, log: [...this.#log], context: this.context(settingsIn(input)) }
    // A caller with a redactor of its own may find other secrets.
    const clean = input.redact === undefined ? this.#digest?.clean : undefined
    const { result, context } = await compactOpenSession(this.store, this.id, { clean, ...input, open })
    await this.#inTurn(() => this.#takeNext(result.entries, context))
    return result
  }

  /**
   * Prepares the next digest in the background, once for each change of the view. It asks no model and stores nothing. Messages
   * that are appended later are added when the compaction is made.
   */
  async prepareDigest(input: Omit<CompactSessionInput, 'holder'>): Promise<void> {
    const { revision } = this.view
    if (this.#digest?.revision === revision) return
    const digest: { readonly revision: Seq; clean?: CleanItems } = { revision }
    this.#digest = digest
    try {
      const redact = await loadRedactor()
      digest.clean = await prepareDigest(this.context(settingsIn(input)), { ...input, redact, pause: pauses() })
    } catch {
      // The compaction itself reports what is wrong.
    }
  }

  /** Everything that follows from the log under these settings. It is kept, so that one more message does not mean reading all of them again. */
  context(settings: ContextSettings): Context {
    this.#context = sessionContext({ ...this.#open, log: this.#log, context: this.#context }, settings)
    return this.#context
  }

  /** The facts of the view. They are kept, too. */
  facts(): ViewFacts {
    this.#context = withFacts(this.#context ?? this.context({}), { changes: false })
    return this.#context.facts
  }

  /** Adds the entries that any process has appended since. If there are none, it reads only the number of the last entry. */
  refresh(): Promise<void> {
    return this.#inTurn(async () => {
      const { lastSeq } = await requireSession(this.store, this.id)
      if (lastSeq !== this.session.lastSeq) await this.#catchUp()
    })
  }

  /** Reads the session again. */
  reopen(): Promise<void> {
    return this.#inTurn(() => this.#readAgain())
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => undefined)
    return done
  }

  /** Adds entries that were just appended. `after` is the Context with them, if nothing else was appended. */
  async #takeNext(entries: readonly Entry[], after?: Context): Promise<void> {
    if (entries[0]?.seq !== this.session.lastSeq + 1) return this.#catchUp()
    await this.#take(entries, after)
  }

  async #catchUp(): Promise<void> {
    const { entries, bad } = await this.store.entries(this.id, { from: this.session.lastSeq + 1 })
    if (bad.length > 0) await this.#readAgain()
    else await this.#take(entries)
  }

  async #readAgain(): Promise<void> {
    this.#open = await openSession(this.store, this.id)
    this.#log = [...this.#open.log]
    this.#digest = undefined
    const { view, made = EMPTY_FOLD_CACHE } = this.#open
    const before = this.#context
    this.#context = before && openContext(this.#log, before.settings, { view, made }, before)
  }

  async #take(entries: readonly Entry[], after?: Context): Promise<void> {
    if (entries.some(needsWholeLog)) return this.#readAgain()
    for (const entry of entries) {
      this.#log.push(entry)
      const { session, view, made = EMPTY_FOLD_CACHE } = this.#open
      const title = entry.type === 'settings' && entry.title !== undefined ? { title: entry.title } : {}
      const revision = changesView(entry) ? entry.seq : session.revision
      if (changesView(entry)) this.#digest = undefined
      this.#context =
        after?.view.lastSeq === entry.seq ? this.#own(after) : this.#context && extendContext(this.#context, entry)
      const now = this.#context ?? extendFolded({ view, made }, entry, () => this.#log)
      this.#open = {
        ...this.#open,
        session: { ...session, ...title, revision, lastSeq: entry.seq, updatedAt: entry.at },
        view: now.view,
        made: now.made,
      }
      if (entry.type === 'message') setImmediate(() => this.#noteFacts())
      if (entry.type === 'compaction') this.#forgetTakenOut(entry)
    }
  }

  /** The Context with the entries as they were stored: with ids and times that the store gave them. */
  #own(context: Context): Context {
    return { ...context, log: Sequence.of(this.#log), breaker: breakerOf(this.#log) }
  }

  /** Drops the entries that the view no longer needs from memory. */
  #forgetTakenOut(entry: EntryOf<'compaction'>): void {
    this.#log = withoutTakenOut(this.#log, entry)
    if (this.#context !== undefined) this.#context = { ...this.#context, log: Sequence.of(this.#log) }
  }

  /** Looks for facts after each append, while the caller continues, so that a compaction need not. */
  #noteFacts(): void {
    const context = this.#context
    if (context === undefined) return
    const count = Math.min(context.view.items.length, context.facts.found.length + NOTED_AT_ONCE)
    try {
      this.#context = withFacts(context, { changes: true }, count)
    } catch {
      // A compaction looks again for facts that were not found, and reports the error.
    }
  }
}

/** A session that was opened with many messages catches up with them step by step. */
const NOTED_AT_ONCE = 100

/** An undo, a redaction or messages that come back may need entries that are not in this part of the log. */
function needsWholeLog(entry: Entry): boolean {
  return entry.type === 'undo' || entry.type === 'redact' || (entry.type === 'pin' && entry.back !== undefined)
}

/** Raw output is large, and read only when somebody asks for it. */
function withoutRaw(entry: Entry): Entry {
  if (entry.type !== 'message' || entry.raw === undefined) return entry
  const { raw: _, ...rest } = entry
  return rest
}
