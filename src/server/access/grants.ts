import { mkdirSync, readdirSync, readFileSync, rmSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writePrivate } from '../../config/write-private.ts'
import { hashOf, newSecret } from './tokens.ts'

const grantSchema = z.strictObject({
  kind: z.enum(['login', 'link', 'share']),
  /** The hash of the token that it stands for: it ends with it. */
  token: z.string(),
  /** The only session that it shows. */
  session: z.string().optional(),
  expires: z.iso.datetime(),
})

/**
 * A right that was made from a token and ends with it: the login of a browser (in its cookie), a link that signs in
 * once, or a link that shows one session.
 */
export type Grant = z.infer<typeof grantSchema>

type GrantKind = Grant['kind']

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

  /** Makes a grant and returns its secret, which is kept nowhere. */
  make(grant: Omit<Grant, 'expires'> & { readonly expires?: string }): { secret: string; expires: string } {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    this.#sweep()
    const secret = newSecret()
    const expires = grant.expires ?? new Date(this.#clock() + KEPT_MS[grant.kind]).toISOString()
    writePrivate(this.#file(secret), `${JSON.stringify({ ...grant, expires })}\n`)
    return { secret, expires }
  }

  /** The grant of a secret, unless it has ended. */
  find(kind: GrantKind, secret: string): Grant | undefined {
    const grant = grantIn(this.#file(secret))
    return grant?.kind === kind && Date.parse(grant.expires) > this.#clock() ? grant : undefined
  }

  /** Takes a grant that counts once. Of several that take it at the same time one gets it. */
  take(kind: GrantKind, secret: string): Grant | undefined {
    const grant = this.find(kind, secret)
    return grant !== undefined && this.end(secret) ? grant : undefined
  }

  /** Ends a grant in all processes; false where there is none any more. */
  end(secret: string): boolean {
    try {
      unlinkSync(this.#file(secret))
      return true
    } catch {
      return false
    }
  }

  #file(secret: string): string {
    return join(this.#folder, `${hashOf(secret)}.json`)
  }

  /** Deletes the grants that have expired. */
  #sweep(): void {
    for (const name of readdirSync(this.#folder)) {
      const file = join(this.#folder, name)
      const grant = name.endsWith('.json') ? grantIn(file) : undefined
      if (grant !== undefined && Date.parse(grant.expires) <= this.#clock()) rmSync(file, { force: true })
    }
  }
}

function grantIn(file: string): Grant | undefined {
  try {
    return grantSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}
