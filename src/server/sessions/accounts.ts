import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { modelNamed } from '../../models/registry.ts'
import { type AccountData, type AccountOptions, SessionAccount } from '../../session/account/session-account.ts'
import { type Session, type SessionId, SIDE_HOLDER, type Store } from '../../store/store.ts'
import type { Status } from '../../tokens/status.ts'
import type { Services } from './services.ts'

/** A session with its account. A session that is not counted yet has none. */
export type CountedSession = { readonly session: Session; readonly account?: AccountData; readonly status?: Status }

/** The newest sessions of an owner; `uncounted` of them have grown since they were counted, or were never counted. */
export type CountedSessions = {
  readonly sessions: readonly CountedSession[]
  /** The requests that agents made beside their conversations: they cost, too. */
  readonly side: readonly CountedSession[]
  readonly uncounted: number
}

/** How many sessions of an owner are counted. */
const MOST_SESSIONS = 5_000
/** How long an answer waits for sessions that are not counted yet. The next answer continues from there. */
const SLICE_MS = 250
/** How many entries or accounts are read at once. SQLite reads synchronously, so everything else waits meanwhile. */
const PAGE = 100
/** After a slow count, the next one of the same session waits this many times as long as the count took. */
const COUNT_SHARE = 10
const QUICK_MS = 50

type KnownAccount = {
  account: SessionAccount
  /** The account as it was returned last. */
  returned?: AccountData
  status?: Status | undefined
  /** The last entry that the status counts. */
  statusSeq: number
  /** The end of the log when it was first read: a later redaction may have changed entries that were read. */
  readonly since: number
  nextAt: number
}

/**
 * The spending of an owner's sessions, and how full they are. Every log is read once: the account is kept next to it in the
 * store, and later only new entries are read.
 */
export class Accounts {
  readonly #known = new Map<SessionId, KnownAccount>()
  readonly #counting = new Map<string, Promise<void>>()
  #mark: string | undefined

  /** The sessions of an owner, the most recently changed first. */
  async of(services: Services, owner: string): Promise<CountedSessions> {
    const { sessions } = await services.store.sessions({ owner, limit: MOST_SESSIONS })
    const { sessions: side } = await services.store.sessions({ owner, holder: SIDE_HOLDER, limit: MOST_SESSIONS })
    const all = [...sessions, ...side]
    const running = this.#counting.get(owner) ?? this.#count(services, owner, all)
    this.#counting.set(owner, running)
    await running.finally(() => this.#counting.delete(owner))
    const counted = (some: readonly Session[]) => some.map((session) => this.#counted(session))
    const result = { sessions: counted(sessions), side: counted(side) }
    this.#forgetOldest()
    return { ...result, uncounted: all.filter((session) => this.#isOutdated(session)).length }
  }

  async #count(services: Services, owner: string, sessions: readonly Session[]): Promise<void> {
    const until = Date.now() + SLICE_MS
    await this.#restore(services, sessions, until)
    for (const session of sessions) {
      const known = this.#known.get(session.id)
      if (!this.#isOutdated(session) || Date.now() < (known?.nextAt ?? 0)) continue
      if (Date.now() > until) return
      const start = Date.now()
      const counted = await this.#catchUp(services, owner, session, until)
      const took = Date.now() - start
      if (counted !== undefined && took > QUICK_MS) counted.nextAt = Date.now() + took * COUNT_SHARE
    }
  }

  /** Restores the accounts that this or another process has kept. */
  async #restore(services: Services, sessions: readonly Session[], until: number): Promise<void> {
    const unknown = sessions.filter(({ id }) => !this.#known.has(id))
    for (let at = 0; at < unknown.length && Date.now() <= until; at += PAGE) {
      const page = unknown.slice(at, at + PAGE)
      const kept = new Map(
        (await services.store.accounts(page.map(({ id }) => id))).map((each) => [each.session, each]),
      )
      for (const session of page) {
        const body = kept.get(session.id)?.body
        this.#known.set(session.id, this.#knownOf(services, session, body))
      }
      await nextTurn()
    }
  }

  #knownOf(services: Services, session: Session, body: string | undefined): KnownAccount {
    const options = optionsOf(services, session)
    const read = body === undefined ? undefined : keptBody(body)
    if (read?.mark === this.#markOf(services)) return { ...restored(options, read), nextAt: 0 }
    return { account: ownAccount(options, session), statusSeq: -1, since: session.lastSeq, nextAt: 0 }
  }

  /** Reads the new entries of a log until the time is over. After a redaction the whole log is read again, because entries may have changed. */
  async #catchUp(
    services: Services,
    owner: string,
    session: Session,
    until: number,
  ): Promise<KnownAccount | undefined> {
    const { store } = services
    const { id } = session
    let known: KnownAccount | undefined = this.#known.get(id)
    if (known === undefined) return undefined
    for (;;) {
      known.returned = undefined
      const { entries, bad } = await store.entries(id, { from: known.account.upTo + 1, limit: PAGE, light: true })
      const since: number = known.since
      const redaction = entries.findLast(({ type, seq }) => type === 'redact' && seq > since)
      if (redaction !== undefined) {
        known = { ...this.#knownOf(services, session, undefined), since: redaction.seq }
        this.#known.set(id, known)
        continue
      }
      for (const entry of entries) known.account.take(entry)
      known.account.pass(bad.at(-1)?.seq ?? 0)
      if (entries.length + bad.length < PAGE) break
      if (Date.now() > until) return undefined
      await nextTurn()
    }
    const [found] = await services.statuses.of(services, [id], owner).catch(() => [])
    known.status = found?.status
    known.statusSeq = found?.last_seq ?? known.account.upTo
    await this.#keep(store, services, id, known)
    return known
  }

  async #keep(store: Store, services: Services, session: SessionId, { account, status }: KnownAccount): Promise<void> {
    const body = JSON.stringify({ mark: this.#markOf(services), account: account.kept(), status } satisfies KeptBody)
    // This only saves work: without it the next process counts again.
    await store.keepAccount({ session, upTo: account.upTo, body }).catch(() => undefined)
  }

  #isOutdated({ id, lastSeq }: Session): boolean {
    const known = this.#known.get(id)
    return known === undefined || known.account.upTo < lastSeq || known.statusSeq < lastSeq
  }

  #counted(session: Session): CountedSession {
    const known = this.#known.get(session.id)
    if (known === undefined || known.account.upTo === 0) return { session }
    known.returned ??= known.account.data()
    return { session, account: known.returned, status: known.status }
  }

  #forgetOldest(): void {
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= 2 * MOST_SESSIONS) return
      this.#known.delete(oldest)
    }
  }

  /** An account is made again if another version made it, or if it was made with other prices and windows. */
  #markOf({ version, models, settings }: Services): string {
    this.#mark ??= createHash('sha256')
      .update(JSON.stringify([FORM, version, models.known.own, settings.model]))
      .digest('base64')
    return this.#mark
  }
}

const FORM = 3

type KeptBody = { readonly mark: string; readonly account: AccountData; readonly status: Status | undefined }

/** The content needs no schema: the mark shows whether this version wrote it. */
function keptBody(body: string): KeptBody | undefined {
  try {
    return JSON.parse(body) as KeptBody
  } catch {
    return undefined
  }
}

/** The account of a fork has only its own entries: the shared ones are in the account of its parent. */
function ownAccount(options: AccountOptions, { parent }: Session): SessionAccount {
  const account = new SessionAccount(options)
  account.pass(parent?.seq ?? 0)
  return account
}

function restored(options: AccountOptions, { account, status }: KeptBody) {
  const { upTo } = account
  return { account: new SessionAccount(options, account), status, statusSeq: upTo, since: upTo }
}

function optionsOf({ models }: Services, { workspace }: Session): AccountOptions {
  const { registry } = models.deps
  return { folder: workspace, pricesOf: (model) => modelNamed(registry, model).prices }
}
