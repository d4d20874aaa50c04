import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readConfigText } from '../../config/read/read-config-file.ts'
import { keepPrivate, writePrivate } from '../../config/write/write-private.ts'
import { PithError } from '../../model/problems/errors.ts'
import { LOCAL_OWNER, type Store } from '../../store/store.ts'
import { type AccessToken, ownerOf, tokenHash, tokenRow, tokenSchema } from './tokens.ts'

/** The form of the first versions, with the secret itself. */
const plainTokenSchema = tokenSchema.omit({ hash: true, admin: true, budget: true }).extend({
  token: z.string().min(20),
})
const fileSchema = z.strictObject({ tokens: z.array(z.union([tokenSchema.strict(), plainTokenSchema.strict()])) })

/** The file in which earlier versions kept the tokens of a data folder. */
export function tokensFile(folder: string): string {
  return join(folder, 'server-tokens.json')
}

/**
 * Copies the tokens of earlier versions into the store, and moves the grants. The file of the tokens is left as it is: processes
 * of an earlier version may still use it. A token that was removed from the store does not come back. Returns how many are new.
 */
export async function takeOver(store: Store, folder: string): Promise<number> {
  let added = 0
  for (const token of tokensIn(tokensFile(folder))) if (await addFromFile(store, token)) added++
  await moveGrants(store, join(folder, 'server-grants'))
  return added
}

/** Each machine may have a token of its own with the same name, and all of them continue to work. */
async function addFromFile(store: Store, token: AccessToken): Promise<boolean> {
  const { name, hash, access, expires } = token
  const isFirst = name === LOCAL_OWNER && ownerOf(token) === LOCAL_OWNER && access === 'write' && expires === undefined
  if (await store.addToken(tokenRow(isFirst ? { ...token, admin: true } : token))) return true
  const other = `${name.slice(0, 90)}-${hash.slice(0, 8)}`
  return store.addToken(tokenRow({ ...token, name: other, owner: ownerOf(token) }))
}

function tokensIn(file: string): readonly AccessToken[] {
  const text = readConfigText(file)
  if (text === undefined) return []
  keepPrivate(file)
  const found = parsed(text, file)
  const tokens = found.map((token) => ('hash' in token ? token : hashed(token)))
  if (found.some((token) => 'token' in token)) writePrivate(file, `${JSON.stringify({ tokens }, null, 2)}\n`)
  return tokens
}

function parsed(text: string, file: string): z.infer<typeof fileSchema>['tokens'] {
  try {
    return fileSchema.parse(JSON.parse(text)).tokens
  } catch {
    throw new PithError('bad-config', `${file} is damaged: delete it, and make new tokens with pith serve token add`)
  }
}

/** A token without its secret. */
function hashed({ token, ...rights }: z.infer<typeof plainTokenSchema>): AccessToken {
  return { ...rights, hash: tokenHash(token) }
}

const grantSchema = z.object({
  kind: z.enum(['login', 'link', 'share']),
  token: z.string(),
  session: z.string().optional(),
  expires: z.iso.datetime(),
})

/** Each grant was a file of its own, named after the hash of its secret. */
async function moveGrants(store: Store, folder: string): Promise<void> {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    const [, hash] = /^([0-9a-f]{64})\.json$/.exec(name) ?? []
    const grant = hash === undefined ? undefined : grantIn(join(folder, name))
    if (hash === undefined || grant === undefined) continue
    const { expires, ...rest } = grant
    await store.addGrant({ ...rest, hash, expiresAt: Date.parse(expires) })
    rmSync(join(folder, name), { force: true })
  }
}

function grantIn(file: string): z.infer<typeof grantSchema> | undefined {
  try {
    return grantSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}
