import { dataFolder } from '../../../config/index.ts'
import { addToken, loadTokens, ownerOf, removeToken } from '../../../server/access/tokens.ts'
import { columns } from '../../output/columns.ts'
import { note, print } from '../../output/show.ts'
import type { TokenFlags } from './serve.ts'

/** Makes a token and prints it. Later it stands only in its file. */
export function printNewToken(name: string, { read, owner }: TokenFlags): void {
  const folder = dataFolder()
  loadTokens(folder)
  const access = read === true ? 'read' : 'write'
  print(addToken(folder, { name, access, owner }).token)
  note('Restart running servers, so that they accept it.')
}

export function listTokens(): void {
  const tokens = loadTokens(dataFolder())
  for (const line of columns([
    ['name', 'access', 'sessions of'],
    ...tokens.map((token) => [token.name, token.access, ownerOf(token)]),
  ]))
    print(line)
}

export function dropToken(name: string): void {
  removeToken(dataFolder(), name)
}
