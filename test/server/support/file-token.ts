import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { tokensFile } from '../../../src/server/access/old-files.ts'
import { type AccessToken, type NewToken, newToken } from '../../../src/server/access/tokens.ts'

/** Adds a token to the file of earlier versions, whose tokens a server copies when it starts. */
export function fileToken(folder: string, token: Omit<AccessToken, 'hash'>): NewToken {
  const { secret, ...kept } = newToken(token)
  const file = tokensFile(folder)
  const { tokens } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { tokens: [] }
  writeFileSync(file, JSON.stringify({ tokens: [...tokens, kept] }), { mode: 0o600 })
  return { ...kept, secret }
}
