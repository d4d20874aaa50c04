import { dataFolder } from '../../../config/index.ts'
import { addToken, loadTokens, ownerOf, removeToken } from '../../../server/access/tokens.ts'
import { columns } from '../../output/columns.ts'
import { print } from '../../output/show.ts'
import type { TokenFlags } from './serve.ts'

/** Makes a token and prints it, once: only its hash is kept. */
export function printNewToken(name: string, { read, owner, expires }: TokenFlags): void {
  const folder = dataFolder()
  loadTokens(folder)
  const access = read === true ? 'read' : 'write'
  const until = expires === undefined ? undefined : new Date(Date.now() + expires).toISOString()
  print(addToken(folder, { name, access, owner, expires: until }).secret)
}

export function listTokens(): void {
  const tokens = loadTokens(dataFolder())
  for (const line of columns([
    ['name', 'access', 'sessions of', 'until'],
    ...tokens.map((token) => [token.name, token.access, ownerOf(token), token.expires ?? 'it is removed']),
  ]))
    print(line)
}

export function dropToken(name: string): void {
  removeToken(dataFolder(), name)
}
