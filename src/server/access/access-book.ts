import { PithError } from '../../model/problems/errors.ts'
import { LOCAL_OWNER, type SessionId, type Store, type StoredGrant } from '../../store/store.ts'
import { Budgets } from './budgets.ts'
import { takeOver } from './old-files.ts'
import {
  type AccessToken,
  checkedToken,
  type NewToken,
  newSecret,
  newToken,
  type TokenRights,
  tokenHash,
  tokenRow,
  tokensFrom,
} from './tokens.ts'

/**
 * A right that was made from a token and ends when that token ends: the login of a browser (in its cookie), a link that
 * signs in once, or a link that shows one session.
 */
export type GrantKind = 'login' | 'link' | 'share'

/** A grant that was just made. Its secret is not stored. */
type NewGrant = { readonly secret: string; readonly expires: string; readonly id: string }

/** A link that shows one session. Its id identifies it, but gives no access. */
export type Share = { readonly id: string; readonly token: string; readonly expires: string }

const KEPT_MS: Readonly<Record<GrantKind, number>> = {
  login: 30 * 24 * 60 * 60_000,
  link: 15 * 60_000,
  share: 7 * 24 * 60 * 60_000,
}

/** How long a token that another process removed may still be accepted here. */
const CHECK_MS = 1_000

/**
 * The tokens and grants of the store, in memory, so that a request needs no query. A change by this process counts at once, one
 * by another process within `CHECK_MS`; before an unknown secret is refused, the store is asked.
 */
export class AccessBook {
  readonly budgets: Budgets
  readonly #store: Store
  readonly #clock: () => number
  #version: number | undefined
  #tokens = new Map<string, AccessToken>()
  #grants = new Map<string, StoredGrant>()
  #reading: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  private constructor(store: Store, clock: () => number) {
    this.#store = store
    this.#clock = clock
    this.budgets = new Budgets(store, (hash) => this.tokenWithHash(hash), clock)
  }

  static async open(store: Store, clock: () => number = Date.now): Promise<AccessBook> {
    const book = new AccessBook(store, clock)
    await book.refresh()
    return book
  }

  /** Reads changes of other processes from now on, until it is closed. */
  watch(): void {
    // If the database cannot be reached, the tokens that we know are used until it can.
    this.#timer ??= setInterval(() => void this.refresh().catch(() => undefined), CHECK_MS).unref()
  }

  /** Ends the watch, and stores the spending that is not stored yet. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.budgets.close()
  }

  /** Reads the store, if it has changed. A read that has begun may miss a change that was made since, so the one after it counts. */
  refresh(): Promise<void> {
    this.#next ??= this.#reading
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined
        this.#reading = this.#read()
        return this.#reading
      })
    return this.#next
  }

  /** All tokens, also those that have expired, in the order in which they were made. */
  get tokens(): readonly AccessToken[] {
    return [...this.#tokens.values()]
  }

  /** The token of a secret, unless it has expired. */
  token(secret: string): AccessToken | undefined {
    return this.tokenWithHash(tokenHash(secret))
  }

  /** The token with a hash, unless it has expired. */
  tokenWithHash(hash: string): AccessToken | undefined {
    const token = this.#tokens.get(hash)
    return token?.expires !== undefined && Date.parse(token.expires) <= this.#clock() ? undefined : token
  }

  /** The token that sees the sessions of a grant, and the grant, unless one of them has ended. */
  grant(kind: GrantKind, secret: string): { readonly token: AccessToken; readonly session?: SessionId } | undefined {
    const grant = this.#grants.get(tokenHash(secret))
    if (grant?.kind !== kind || grant.expiresAt <= this.#clock()) return undefined
    const token = this.tokenWithHash(grant.token)
    return token && { token, session: grant.session }
  }

  /** The links that show this session and have not ended. */
  shares(session: SessionId): Share[] {
    return [...this.#grants.values()].flatMap((grant) =>
      grant.kind === 'share' && grant.session === session && grant.expiresAt > this.#clock() ? [shareOf(grant)] : [],
    )
  }

  /** Makes a token and returns it with its secret. Each name is used once at a time. */
  async add(token: Omit<AccessToken, 'hash'>): Promise<NewToken> {
    const made = newToken(token)
    const { secret: _, ...kept } = made
    if (!(await this.#changed(this.#store.addToken(tokenRow(kept)))))
      throw new PithError(
        'bad-argument',
        `there is a token ${token.name} already: choose another name, or remove it first`,
      )
    return made
  }

  /** Replaces some rights of a token; undefined if there is no such token. */
  async change(name: string, rights: Partial<TokenRights>): Promise<AccessToken | undefined> {
    const token = this.#named(name)
    if (token === undefined) return undefined
    const next = checkedToken({ ...token, ...rights })
    return (await this.#changed(this.#store.changeToken(name, tokenRow(next).body))) ? next : undefined
  }

  /** Removes a token and everything that was made from it; false if there is no such token. */
  remove(name: string): Promise<boolean> {
    return this.#changed(this.#store.removeToken(name))
  }

  /** Makes a grant of a token and returns its secret, which is not stored; undefined if the token has just ended. */
  async makeGrant(grant: {
    readonly kind: GrantKind
    readonly token: string
    readonly session?: SessionId
    readonly forMs?: number
  }): Promise<NewGrant | undefined> {
    const { kind, token, session, forMs = KEPT_MS[kind] } = grant
    const secret = newSecret()
    const made: StoredGrant = { hash: tokenHash(secret), token, kind, session, expiresAt: this.#clock() + forMs }
    if (!(await this.#changed(this.#store.addGrant(made)))) return undefined
    return { secret, ...shareOf(made) }
  }

  /** Takes a grant that works once. If several callers take it at the same time, one gets it. */
  async takeGrant(kind: GrantKind, secret: string): Promise<AccessToken | undefined> {
    await this.refresh()
    const found = this.grant(kind, secret)
    return found !== undefined && (await this.endGrant(secret)) ? found.token : undefined
  }

  /** Ends a grant in all processes; false if it does not exist any more. */
  endGrant(secret: string): Promise<boolean> {
    return this.#changed(this.#store.removeGrant(tokenHash(secret)))
  }

  /** Ends a link to this session by its id; false if it does not exist any more. */
  async endShare(session: SessionId, id: string): Promise<boolean> {
    await this.refresh()
    const found = [...this.#grants.values()].find((each) => each.session === session && shareOf(each).id === id)
    return found !== undefined && (await this.#changed(this.#store.removeGrant(found.hash)))
  }

  #named(name: string): AccessToken | undefined {
    return this.tokens.find((token) => token.name === name)
  }

  async #changed(change: Promise<boolean>): Promise<boolean> {
    const isChanged = await change
    await this.refresh()
    return isChanged
  }

  async #read(): Promise<void> {
    const rows = await this.#store.access(this.#version)
    if (rows === undefined) return
    this.#version = rows.version
    this.#tokens = new Map(tokensFrom(rows.tokens).map((token) => [token.hash, token]))
    this.#grants = new Map(rows.grants.map((grant) => [grant.hash, grant]))
  }
}

/** The id is the beginning of the hash. */
function shareOf({ hash, token, expiresAt }: StoredGrant): Share {
  return { id: hash.slice(0, 16), token, expires: new Date(expiresAt).toISOString() }
}

/**
 * The tokens of a store with those of the earlier versions' files in a data folder. If there is none at all, the first one is made:
 * that of the owner of this machine, who administers the server. `onTaken` hears how many came from the files.
 */
export async function openAccess(store: Store, folder: string, onTaken?: (count: number) => void): Promise<AccessBook> {
  const taken = await takeOver(store, folder)
  if (taken > 0) onTaken?.(taken)
  const book = await AccessBook.open(store)
  if (book.tokens.length > 0) return book
  const { secret: _, ...first } = newToken({ name: LOCAL_OWNER, access: 'write', admin: true })
  // Another process may have made it at the same time.
  await store.addToken(tokenRow(first))
  await book.refresh()
  return book
}
