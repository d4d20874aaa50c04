import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readConfigText } from '../../config/read/read-config-file.ts'
import { keepPrivate, writePrivate } from '../../config/write/write-private.ts'
import { PithError } from '../../model/problems/errors.ts'
import { LOCAL_OWNER } from '../../store/store.ts'

const nameSchema = z.string().regex(/^[\w.-]{1,100}$/, 'is not a name for a token: use letters, digits, . - _')
const rights = {
  name: nameSchema,
  access: z.enum(['read', 'write']),
  /** The owner of the sessions that it sees; by default the token's own name. */
  owner: z.string().min(1).optional(),
  /** It is refused from this time on. */
  expires: z.iso.datetime().optional(),
}
const tokenSchema = z.strictObject({ ...rights, hash: z.string().regex(/^[0-9a-f]{64}$/) })
/** The form of earlier versions, with the secret itself. */
const plainTokenSchema = z.strictObject({ ...rights, token: z.string().min(20) })
const fileSchema = z.strictObject({ tokens: z.array(z.union([tokenSchema, plainTokenSchema])) })

/** A token: the hash of a secret, and the owner whose sessions it may read or write. */
export type AccessToken = z.infer<typeof tokenSchema>

/** A token that was just made. Its secret is not stored. */
export type NewToken = AccessToken & { readonly secret: string }

/** The tokens that are known now. */
export type TokenSource = () => readonly AccessToken[]

/** The tokens of a data folder. The first start makes one. Only the user may read the file. */
export function loadTokens(folder: string): readonly AccessToken[] {
  const tokens = readTokens(folder)
  if (tokens.length > 0) return tokens
  addToken(folder, { name: LOCAL_OWNER, access: 'write' })
  return readTokens(folder)
}

/** Makes a token and returns it with its secret. Each name can be used once. */
export function addToken(folder: string, token: Omit<AccessToken, 'hash'>): NewToken {
  const tokens = readTokens(folder)
  if (tokens.some(({ name }) => name === token.name))
    throw new PithError(
      'bad-argument',
      `there is a token ${token.name} already: remove it first, or choose another name`,
    )
  const secret = newSecret()
  const made = tokenSchema.safeParse({ ...token, hash: tokenHash(secret) })
  if (!made.success) throw new PithError('bad-argument', `${token.name}: ${made.error.issues[0]?.message}`)
  writeTokens(folder, [...tokens, made.data])
  return { ...made.data, secret }
}

/** Removes a token. Running servers refuse it from their next request on. */
export function removeToken(folder: string, name: string): void {
  const tokens = readTokens(folder)
  const others = tokens.filter((token) => token.name !== name)
  if (others.length === tokens.length) throw new PithError('bad-argument', `there is no token ${name}`)
  writeTokens(folder, others)
}

/** The token of a secret, unless it has expired. */
export function findToken(tokens: readonly AccessToken[], secret: string, now = Date.now()): AccessToken | undefined {
  return tokenWithHash(tokens, tokenHash(secret), now)
}

/**
 * The token with a hash, unless it has expired. The comparison takes the same time for every hash, so that nobody can
 * guess one by timing.
 */
export function tokenWithHash(tokens: readonly AccessToken[], hash: string, now: number): AccessToken | undefined {
  const given = Buffer.from(hash, 'hex')
  let found: AccessToken | undefined
  for (const token of tokens) if (timingSafeEqual(Buffer.from(token.hash, 'hex'), given)) found = token
  return found?.expires !== undefined && Date.parse(found.expires) <= now ? undefined : found
}

/** A secret that nobody can guess. */
export function newSecret(): string {
  return `pith_${randomBytes(32).toString('base64url')}`
}

/** The stored form of a secret. A secret has 256 random bits, so a slow hash would add nothing. */
export function tokenHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** The owner whose sessions a token sees. */
export function ownerOf({ name, owner }: AccessToken): string {
  return owner ?? name
}

export function tokensFile(folder: string): string {
  return join(folder, 'server-tokens.json')
}

/**
 * Reads the tokens of a data folder again whenever their file has changed: a token that another process adds or removes is
 * accepted or refused at once.
 */
export function watchedTokens(folder: string): TokenSource {
  let seen: string | undefined
  let tokens: readonly AccessToken[] = []
  return () => {
    const stat = statSync(tokensFile(folder), { throwIfNoEntry: false, bigint: true })
    const state = stat === undefined ? '' : `${stat.ino} ${stat.mtimeNs} ${stat.size}`
    if (state !== seen) tokens = readTokens(folder)
    seen = state
    return tokens
  }
}

function readTokens(folder: string): readonly AccessToken[] {
  const file = tokensFile(folder)
  const text = readConfigText(file)
  if (text === undefined) return []
  keepPrivate(file)
  const found = tokensIn(text, file)
  const tokens = found.map((token) => ('hash' in token ? token : hashed(token)))
  if (found.some((token) => 'token' in token)) writeTokens(folder, tokens)
  return tokens
}

function tokensIn(text: string, file: string): z.infer<typeof fileSchema>['tokens'] {
  try {
    return fileSchema.parse(JSON.parse(text)).tokens
  } catch {
    throw new PithError('bad-config', `${file} is damaged: delete it, and the next start makes a new token`)
  }
}

/** A token without its secret. */
export function hashed({ token, ...rights }: z.infer<typeof plainTokenSchema>): AccessToken {
  return { ...rights, hash: tokenHash(token) }
}

function writeTokens(folder: string, tokens: readonly AccessToken[]): void {
  writePrivate(tokensFile(folder), `${JSON.stringify({ tokens }, null, 2)}\n`)
}
