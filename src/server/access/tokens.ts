import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readConfigText } from '../../config/read-config-file.ts'
import { writePrivate } from '../../config/write-private.ts'
import { PithError } from '../../model/errors.ts'
import { nearest } from '../../model/nearest.ts'

const tokenSchema = z.strictObject({
  name: z.string().regex(/^[\w.-]{1,100}$/, 'is not a name for a token: use letters, digits, . - _'),
  token: z.string().min(20),
  access: z.enum(['read', 'write']),
  /** The owner of the sessions that it sees; by default the token's own name. */
  owner: z.string().min(1).optional(),
})
const fileSchema = z.strictObject({ tokens: z.array(tokenSchema) })

/** A token: a secret, and the owner whose sessions it may read or write. */
export type AccessToken = z.infer<typeof tokenSchema>

/** The owner of the terminal's sessions on this machine, so that the page of a server shows them. */
export const LOCAL_OWNER = 'local'

/** The tokens of a data folder. The first start makes one. Only the user may read the file. */
export function loadTokens(folder: string): readonly AccessToken[] {
  const tokens = readTokens(folder)
  if (tokens.length > 0) return tokens
  addToken(folder, { name: LOCAL_OWNER, access: 'write' })
  return readTokens(folder)
}

/** Makes a token and returns it. Each name can be used once. */
export function addToken(folder: string, token: Omit<AccessToken, 'token'>): AccessToken {
  const tokens = readTokens(folder)
  if (tokens.some(({ name }) => name === token.name))
    throw new PithError(
      'bad-argument',
      `there is a token ${token.name} already: remove it first, or choose another name`,
    )
  const made = tokenSchema.safeParse({ ...token, token: `pith_${randomBytes(32).toString('base64url')}` })
  if (!made.success) throw new PithError('bad-argument', `${token.name}: ${made.error.issues[0]?.message}`)
  writeTokens(folder, [...tokens, made.data])
  return made.data
}

/** Removes a token; a running server accepts it until it is restarted. */
export function removeToken(folder: string, name: string): void {
  const tokens = readTokens(folder)
  if (!tokens.some((token) => token.name === name)) {
    const meant = nearest(
      name,
      tokens.map((token) => token.name),
    )
    throw new PithError(
      'bad-argument',
      `there is no token ${name}${meant === undefined ? '' : `, did you mean ${meant}?`}`,
    )
  }
  writeTokens(
    folder,
    tokens.filter((token) => token.name !== name),
  )
}

/**
 * The token of a secret. The comparison takes the same time for every secret, so that nobody can guess one by timing.
 */
export function findToken(tokens: readonly AccessToken[], secret: string): AccessToken | undefined {
  const given = digest(secret)
  let found: AccessToken | undefined
  for (const token of tokens) if (timingSafeEqual(digest(token.token), given)) found = token
  return found
}

/** The owner whose sessions a token sees. */
export function ownerOf({ name, owner }: AccessToken): string {
  return owner ?? name
}

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

export function tokensFile(folder: string): string {
  return join(folder, 'server-tokens.json')
}

function readTokens(folder: string): readonly AccessToken[] {
  const file = tokensFile(folder)
  const text = readConfigText(file)
  if (text === undefined) return []
  // A restored copy or backup may have lost its file mode.
  chmodSync(file, 0o600)
  try {
    return fileSchema.parse(JSON.parse(text)).tokens
  } catch {
    throw new PithError('bad-config', `${file} is damaged: delete it, and the next start makes a new token`)
  }
}

function writeTokens(folder: string, tokens: readonly AccessToken[]): void {
  writePrivate(tokensFile(folder), `${JSON.stringify({ tokens }, null, 2)}\n`)
}
