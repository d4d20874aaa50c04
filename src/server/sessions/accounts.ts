import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { modelNamed } from '../../models/registry.ts'
import { type AccountData, type AccountOptions, SessionAccount } from '../../session/account/session-account.ts'
import type { Session, SessionId, Store } from '../../store/store.ts'
import type { Status } from '../../tokens/status.ts'
import type { Services } from './services.ts'

/** A session with what was counted of it. What is not counted yet has no account. */
export type CountedSession = { readonly session: Session; readonly account?: AccountData; readonly status?: Status }

/** The newest sessions of an owner; `uncounted` of them have grown since they were counted, or were never. */
export type CountedSessions = { readonly sessions: readonly CountedSession[]; readonly uncounted: number }

/** So many sessions of an owner are counted. */
const MOST_SESSIONS = 5_000
/** An answer waits so long for what is not counted yet; the next one goes on from there. */
const SLICE_MS = 250
/** Entries that are read at once, and accounts. SQLite reads synchronously, so everything else waits meanwhile. */
const PAGE = 100
/** A session that grows all the time is counted in no more than this part of the time. */
const COUNT_SHARE = 10
const QUICK_MS = 50

type KnownAccount = {
  account: SessionAccount
  /** The account as it was told last. */
  told?: AccountData
  status?: Status | undefined
  /** The last entry that the status counts. */
  statusSeq: number
  /** The end of the log when it was first read: a later redaction may have changed what was read. */
  readonly since: number
  nextAt: number
}

/**
 * What the sessions of an owner have spent and how full they are. Every log is read once: the account is kept beside it
 * in the store, and only what has come since is read again.
 */
export class Accounts {
  readonly #known = new Map<SessionId, KnownAccount>()
  readonly #counting = new Map<string, Promise<void>>()
  #mark: string | undefined

  /** The sessions of an owner, the most recently changed first. */
  async of(services: Services, owner: string): Promise<CountedSessions> {
    const { sessions } = await services.store.sessions({ owner, limit: MOST_SESSIONS })
    const running = this.#counting.get(owner) ?? this.#count(services, owner, sessions)
    this.#counting.set(owner, running)
    await running.finally(() => this.#counting.delete(owner))
    const counted = sessions.map((session) => this.#told(session))
    this.#forgetOldest()
    return { sessions: counted, uncounted: sessions.filter((session) => this.#isBehind(session)).length }
  }

  async #count(services: Services, owner: string, sessions: readonly Session[]): Promise<void> {
    const until = Date.now() + SLICE_MS
    await this.#restore(services, sessions, until)
    for (const session of sessions) {
      const known = this.#known.get(session.id)
      if (!this.#isBehind(session) || Date.now() < (known?.nextAt ?? 0)) continue
      if (Date.now() > until) return
      const start = Date.now()
      const counted = await this.#catchUp(services, owner, session, until)
      const took = Date.now() - start
      if (counted !== undefined && took > QUICK_MS) counted.nextAt = Date.now() + took * COUNT_SHARE
    }
  }

  /** Takes over what this or another process has kept. */
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

  /** Reads what is new in a log, until the time is over. A redaction may have changed what was read: all is read again. */
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
      known.told = undefined
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
    // It is only a saving of work: the next process counts again.
    await store.keepAccount({ session, upTo: account.upTo, body }).catch(() => undefined)
  }

  #isBehind({ id, lastSeq }: Session): boolean {
    const known = this.#known.get(id)
    return known === undefined || known.account.upTo < lastSeq || known.statusSeq < lastSeq
  }

  #told(session: Session): CountedSession {
    const known = this.#known.get(session.id)
    if (known === undefined || known.account.upTo === 0) return { session }
    known.told ??= known.account.data()
    return { session, account: known.told, status: known.status }
  }

  #forgetOldest(): void {
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= 2 * MOST_SESSIONS) return
      this.#known.delete(oldest)
    }
  }

  /** An account that another version made, or one that knew other prices and windows, is made again. */
  #markOf({ version, models, settings }: Services): string {
    this.#mark ??= createHash('sha256')
      .update(JSON.stringify([FORM, version, models.known.own, settings.model]))
      .digest('base64')
    return this.#mark
  }
}

const FORM = 2

type KeptBody = { readonly mark: string; readonly account: AccountData; readonly status: Status | undefined }

/** The mark says that this very version wrote it. */
function keptBody(body: string): KeptBody | undefined {
  try {
    return JSON.parse(body) as KeptBody
  } catch {
    return undefined
  }
}

/** A fork pays for what it says itself: what it shares is in the account of its parent. */
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
