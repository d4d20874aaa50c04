import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writePrivate } from '../../config/write/write-private.ts'
import { newSecret, tokenHash } from './tokens.ts'

const grantSchema = z.strictObject({
  kind: z.enum(['login', 'link', 'share']),
  /** The hash of the token that it was made from. It ends when that token ends. */
  token: z.string(),
  /** The only session that it shows. */
  session: z.string().optional(),
  expires: z.iso.datetime(),
})

/**
 * A right that was made from a token and ends when that token ends: the login of a browser (in its cookie), a link that
 * signs in once, or a link that shows one session.
 */
export type Grant = z.infer<typeof grantSchema>

type GrantKind = Grant['kind']

/** A grant that was just made. Its secret is not stored. */
type NewGrant = { readonly secret: string; readonly expires: string; readonly id: string }

/** A link that shows one session. Its id identifies it, but gives no access. */
export type Share = { readonly id: string; readonly token: string; readonly expires: string }

const KEPT_MS: Readonly<Record<GrantKind, number>> = {
  login: 30 * 24 * 60 * 60_000,
  link: 15 * 60_000,
  share: 7 * 24 * 60 * 60_000,
}

/**
 * The grants of a data folder. Each is a file of its own named after the hash of its secret, so that any number of
 * processes make and end them without waiting for each other.
 */
export class Grants {
  readonly #folder: string
  readonly #clock: () => number

  constructor(dataFolder: string, clock: () => number = Date.now) {
    this.#folder = join(dataFolder, 'server-grants')
    this.#clock = clock
  }

  /** Makes a grant and returns its secret, which is not stored. */
  make(grant: Omit<Grant, 'expires'> & { readonly expires?: string }): NewGrant {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    this.#sweep()
    const secret = newSecret()
    const expires = grant.expires ?? new Date(this.#clock() + KEPT_MS[grant.kind]).toISOString()
    writePrivate(this.#file(secret), `${JSON.stringify({ ...grant, expires })}\n`)
    return { secret, expires, id: idOf(tokenHash(secret)) }
  }

  /** The grant of a secret, unless it has ended. */
  find(kind: GrantKind, secret: string): Grant | undefined {
    const grant = grantIn(this.#file(secret))
    return grant?.kind === kind && Date.parse(grant.expires) > this.#clock() ? grant : undefined
  }

  /** Takes a grant that works once. If several callers take it at the same time, one gets it. */
  take(kind: GrantKind, secret: string): Grant | undefined {
    const grant = this.find(kind, secret)
    return grant !== undefined && this.end(secret) ? grant : undefined
  }

  /** Ends a grant in all processes; false if it does not exist any more. */
  end(secret: string): boolean {
    try {
      unlinkSync(this.#file(secret))
      return true
    } catch {
      return false
    }
  }

  /** The links that show this session and have not expired. */
  shares(session: string): Share[] {
    return this.#names().flatMap((name) => {
      const grant = grantIn(join(this.#folder, name))
      if (grant?.kind !== 'share' || grant.session !== session || Date.parse(grant.expires) <= this.#clock()) return []
      return [{ id: idOf(name), token: grant.token, expires: grant.expires }]
    })
  }

  /** Ends a link to this session by its id; false if it does not exist any more. */
  endShare(session: string, id: string): boolean {
    if (!this.shares(session).some((share) => share.id === id)) return false
    const name = this.#names().find((each) => idOf(each) === id)
    if (name !== undefined) rmSync(join(this.#folder, name), { force: true })
    return name !== undefined
  }

  /** Ends all links to these sessions. */
  endSharesOf(sessions: ReadonlySet<string>): void {
    for (const name of this.#names()) {
      const file = join(this.#folder, name)
      if (sessions.has(grantIn(file)?.session ?? '')) rmSync(file, { force: true })
    }
  }

  #names(): string[] {
    return existsSync(this.#folder) ? readdirSync(this.#folder).filter((name) => name.endsWith('.json')) : []
  }

  #file(secret: string): string {
    return join(this.#folder, `${tokenHash(secret)}.json`)
  }

  /** Deletes the grants that have expired. */
  #sweep(): void {
    for (const name of this.#names()) {
      const file = join(this.#folder, name)
      const grant = grantIn(file)
      if (grant !== undefined && Date.parse(grant.expires) <= this.#clock()) rmSync(file, { force: true })
    }
  }
}

/** The beginning of the hash that a grant's file is named after. */
function idOf(hash: string): string {
  return hash.slice(0, 16)
}

function grantIn(file: string): Grant | undefined {
  try {
    return grantSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}
