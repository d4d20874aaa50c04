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
  /** Whose sessions it sees; its own by default. */
  owner: z.string().min(1).optional(),
})
const fileSchema = z.strictObject({ tokens: z.array(tokenSchema) })

/** Who may call the server: a secret, and whose sessions it reads or writes. */
export type Token = z.infer<typeof tokenSchema>

/** The owner of the sessions of this machine's own terminal: who starts a server sees them on the page. */
const FIRST = 'local'

/** The tokens of a data folder. On the first start one is made; only its owner may read the file. */
export function loadTokens(folder: string): readonly Token[] {
  const tokens = readTokens(folder)
  if (tokens.length > 0) return tokens
  addToken(folder, { name: FIRST, access: 'write' })
  return readTokens(folder)
}

/** Makes a token and gives it back. A name is taken once. */
export function addToken(folder: string, token: Omit<Token, 'token'>): Token {
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

/** Takes a token away; servers that run forget it when they are started again. */
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

/** The token that a secret belongs to. It takes the same time whatever the secret has in common with one. */
export function findToken(tokens: readonly Token[], secret: string): Token | undefined {
  const given = digest(secret)
  let found: Token | undefined
  for (const token of tokens) if (timingSafeEqual(digest(token.token), given)) found = token
  return found
}

/** Whose sessions a token sees. */
export function ownerOf({ name, owner }: Token): string {
  return owner ?? name
}

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

export function tokensFile(folder: string): string {
  return join(folder, 'server-tokens.json')
}

function readTokens(folder: string): readonly Token[] {
  const file = tokensFile(folder)
  const text = readConfigText(file)
  if (text === undefined) return []
  // A copy or a backup that was put back may have lost its rights.
  chmodSync(file, 0o600)
  try {
    return fileSchema.parse(JSON.parse(text)).tokens
  } catch {
    throw new PithError('bad-config', `${file} is damaged: delete it, and the next start makes a new token`)
  }
}

function writeTokens(folder: string, tokens: readonly Token[]): void {
  writePrivate(tokensFile(folder), `${JSON.stringify({ tokens }, null, 2)}\n`)
}
