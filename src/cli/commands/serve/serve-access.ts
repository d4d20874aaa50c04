import { dataFolder } from '../../../config/index.ts'
import { parseServerSettings } from '../../../config/tables/program-settings.ts'
import { PithError } from '../../../model/problems/errors.ts'
import { Grants } from '../../../server/access/grants.ts'
import {
  type AccessToken,
  addToken,
  loadTokens,
  ownerOf,
  removeToken,
  tokenWithHash,
} from '../../../server/access/tokens.ts'
import { urlAt } from '../../../server/serve.ts'
import { requireSession } from '../../../session/open-session.ts'
import { openStore } from '../../../store/open-store.ts'
import { LOCAL_OWNER, type Session } from '../../../store/store.ts'
import { columns, note, print } from '../../output/show.ts'
import { requireStoredId } from '../../sessions/session-source.ts'
import { loadSetup } from '../../setup/setup.ts'
import type { LinkFlags, TokenFlags } from './serve.ts'

/** Prints a link to the server that the configuration names: one to sign in once, or one that shows a session. */
export async function printLink(session: string | undefined, { token, url, expires, end }: LinkFlags): Promise<void> {
  const { config, folders } = loadSetup({})
  if (end !== undefined) return endLink(folders.data, end)
  const { host, port } = parseServerSettings(config.settings.server, config.placeOf)
  const at = url?.replace(/\/+$/, '') ?? urlAt(host, port)
  if (session === undefined) return print(signInLink(folders.data, at, token))
  const { id, owner } = await namedSession(config.settings.store, session)
  const { hash } = tokenFor(folders.data, owner, token)
  const until = expires === undefined ? undefined : new Date(Date.now() + expires).toISOString()
  const made = new Grants(folders.data).make({ kind: 'share', token: hash, session: id, expires: until })
  print(`${at}/#share=${made.secret}`)
  note(`Whoever has this link can read the session until ${made.expires.slice(0, 16).replace('T', ' ')} UTC.`)
}

/** A link that signs a browser in, once. A browser sends no fragment, so that its secret is in no log. */
export function signInLink(folder: string, url: string, name?: string): string {
  const { secret } = new Grants(folder).make({ kind: 'link', token: tokenFor(folder, undefined, name).hash })
  return `${url}/#link=${secret}`
}

function endLink(folder: string, link: string): void {
  const secret = /#(?:share|link)=(\S+)$/.exec(link)?.[1] ?? link
  if (!new Grants(folder).end(secret)) throw new PithError('bad-argument', 'there is no such link, or it has ended')
}

/** A session by its id, or by how that begins. */
async function namedSession(database: string | undefined, name: string): Promise<Session> {
  const store = await openStore(database)
  try {
    return await requireSession(store, await requireStoredId(store, name))
  } finally {
    await store.close()
  }
}

/** The token of a link: the one with a name, or one of the owner, which may write if there is one. */
function tokenFor(folder: string, owner: string | undefined, name: string | undefined): AccessToken {
  const all = loadTokens(folder)
  const tokens = all.filter((token) => tokenWithHash(all, token.hash, Date.now()) !== undefined)
  const fits = tokens.filter((token) => owner === undefined || ownerOf(token) === owner)
  const own = fits.filter((token) => owner !== undefined || ownerOf(token) === LOCAL_OWNER)
  const found =
    name === undefined
      ? (own.find(({ access }) => access === 'write') ?? own[0])
      : fits.find((token) => token.name === name)
  if (found !== undefined) return found
  const whose = owner === undefined ? '' : ` that sees the sessions of ${owner}`
  throw new PithError(
    'bad-argument',
    `there is no token${name === undefined ? '' : ` ${name}`}${whose}: make one with pith serve token add`,
  )
}

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
