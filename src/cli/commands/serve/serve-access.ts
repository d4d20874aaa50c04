import { parseServerSettings } from '../../../config/tables/program-settings.ts'
import { count, dollars } from '../../../engine/report/numbers.ts'
import { PithError } from '../../../model/problems/errors.ts'
import { type AccessBook, openAccess } from '../../../server/access/access-book.ts'
import { type AccessToken, ownerOf, type TokenBudget, type TokenRights } from '../../../server/access/tokens.ts'
import { urlAt } from '../../../server/serve.ts'
import { requireSession } from '../../../session/open-session.ts'
import { LOCAL_OWNER, type Store, type TokenSpending } from '../../../store/store.ts'
import { columns, note, print } from '../../output/show.ts'
import { requireStoredId } from '../../sessions/session-source.ts'
import { hasStore, loadSetup, type Setup, withStore } from '../../setup/setup.ts'
import type { LinkFlags, StoreFlag, TokenChangeFlags, TokenFlags } from './serve.ts'

/** Prints a link to the server that the configuration names: one to sign in once, or one that shows a session. */
export async function printLink(session: string | undefined, flags: LinkFlags, at: StoreFlag): Promise<void> {
  const { token, url, expires, end } = flags
  await withKnownAccess(at, async (access, store, { config }) => {
    if (end !== undefined) return endLink(access, end)
    const { host, port } = parseServerSettings(config.settings.server, config.placeOf)
    const server = url?.replace(/\/+$/, '') ?? urlAt(host, port)
    if (session === undefined) return print(await signInLink(access, server, token))
    const { id, owner } = await requireSession(store, await requireStoredId(store, session))
    const { hash } = tokenFor(access, owner, token)
    const made = await access.makeGrant({ kind: 'share', token: hash, session: id, forMs: expires })
    if (made === undefined) throw justEnded()
    print(`${server}/#share=${made.secret}`)
    note(`Whoever has this link can read the session until ${made.expires.slice(0, 16).replace('T', ' ')} UTC.`)
  })
}

/** A link that signs a browser in, once. A browser sends no fragment, so that its secret is in no log. */
export async function signInLink(access: AccessBook, url: string, name?: string): Promise<string> {
  const made = await access.makeGrant({ kind: 'link', token: tokenFor(access, undefined, name).hash })
  if (made === undefined) throw justEnded()
  return `${url}/#link=${made.secret}`
}

/** Says that tokens were copied from the file of an earlier version. */
export function noteTaken(taken: number): void {
  const [what, they] = taken === 1 ? ['1 token', 'works'] : [`${taken} tokens`, 'work']
  note(`Copied ${what} from server-tokens.json into the database, which still ${they}. The file is no longer needed.`)
}

type AccessWork = (access: AccessBook, store: Store, setup: Setup) => Promise<void>

async function withAccess(at: StoreFlag, work: AccessWork, setup = loadSetup(at)): Promise<void> {
  await withStore(setup, async (store) => work(await openAccess(store, setup.folders.data, noteTaken), store, setup))
}

/** The same, but a store with a wrong name is not made. */
async function withKnownAccess(at: StoreFlag, work: AccessWork): Promise<void> {
  const setup = loadSetup(at)
  if (at.store !== undefined && !hasStore(setup))
    throw new PithError('bad-argument', `there is no database ${at.store}`)
  await withAccess(at, work, setup)
}

async function endLink(access: AccessBook, link: string): Promise<void> {
  const secret = /#(?:share|link)=(\S+)$/.exec(link)?.[1] ?? link
  if (!(await access.endGrant(secret))) throw new PithError('bad-argument', 'there is no such link, or it has ended')
}

/** The token of a link: the one with a name, or the one of the owner that may do the most. */
function tokenFor(access: AccessBook, owner: string | undefined, name: string | undefined): AccessToken {
  const tokens = access.tokens.filter(({ hash }) => access.tokenWithHash(hash) !== undefined)
  const fits = tokens.filter((token) => owner === undefined || ownerOf(token) === owner)
  const own = fits.filter((token) => owner !== undefined || ownerOf(token) === LOCAL_OWNER)
  const found =
    name === undefined
      ? (own.find(({ admin }) => admin) ?? own.find((token) => token.access === 'write') ?? own[0])
      : fits.find((token) => token.name === name)
  if (found !== undefined) return found
  const whose = owner === undefined ? '' : ` that sees the sessions of ${owner}`
  throw new PithError(
    'bad-argument',
    `there is no token${name === undefined ? '' : ` ${name}`}${whose}: make one with pith serve token add`,
  )
}

function justEnded(): PithError {
  return new PithError('bad-argument', 'the token of this link was just removed')
}

/** Makes a token and prints it, once: only its hash is kept. */
export async function printNewToken(name: string, flags: TokenFlags, at: StoreFlag): Promise<void> {
  const { read, admin, owner, expires, dailyCost, dailyTokens } = flags
  const limits = { expires: timeAfter(expires), budget: budgetOf(dailyCost, dailyTokens) }
  const rights = { access: read === true ? 'read' : 'write', admin, owner, ...limits } as const
  await withAccess(at, async (access) => print((await access.add({ name, ...rights })).secret))
}

/** Changes the rights of a token. What no option names stays as it is. */
export async function changeToken(name: string, flags: TokenChangeFlags, at: StoreFlag): Promise<void> {
  if (Object.keys(flags).length === 0)
    throw new PithError('bad-argument', 'nothing to change: pith serve token change --help lists what can be changed')
  await withKnownAccess(at, async (access) => {
    const token = access.tokens.find((each) => each.name === name)
    if (token === undefined || (await access.change(name, changedRights(token, flags))) === undefined)
      throw unknownToken(name)
    print(`Changed the token ${name}. Every process of the server knows it within two seconds.`)
  })
}

function changedRights({ budget = {} }: AccessToken, flags: TokenChangeFlags): Partial<TokenRights> {
  const { access, admin, expires, dailyCost = budget.dollarsPerDay, dailyTokens = budget.tokensPerDay } = flags
  return {
    ...(access === undefined ? {} : { access }),
    ...(admin === undefined ? {} : { admin: admin || undefined }),
    ...(expires === undefined ? {} : { expires: timeAfter(expires || undefined) }),
    budget: budgetOf(dailyCost || undefined, dailyTokens || undefined),
  }
}

function timeAfter(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(Date.now() + ms).toISOString()
}

function budgetOf(dollarsPerDay: number | undefined, tokensPerDay: number | undefined): TokenBudget | undefined {
  return dollarsPerDay === undefined && tokensPerDay === undefined ? undefined : { dollarsPerDay, tokensPerDay }
}

function unknownToken(name: string): PithError {
  return new PithError('bad-argument', `there is no token ${name}`)
}

export async function listTokens(at: StoreFlag): Promise<void> {
  await withKnownAccess(at, async (access) => {
    const today = await access.budgets.today()
    const rows = access.tokens.map((token) => [
      token.name,
      token.admin === true ? 'admin' : token.access,
      ownerOf(token),
      token.expires ?? 'it is removed',
      spentText(today.get(token.hash), token.budget),
    ])
    for (const line of columns([['name', 'access', 'sessions of', 'until', 'spent today'], ...rows])) print(line)
  })
}

/** `$0.42 of $5.00, 12,000 tokens`; a dash if nothing was spent and nothing is limited. */
function spentText(spent: TokenSpending | undefined, budget: TokenBudget = {}): string {
  if (spent === undefined && Object.keys(budget).length === 0) return '–'
  const { dollarsPerDay, tokensPerDay } = budget
  const of = (limit: number | undefined, text: (value: number) => string) =>
    limit === undefined ? '' : ` of ${text(limit)}`
  const cost = `${dollars(spent?.cost ?? 0)}${of(dollarsPerDay, dollars)}`
  return `${cost}, ${count(spent?.tokens ?? 0)}${of(tokensPerDay, count)} tokens`
}

export async function dropToken(name: string, at: StoreFlag): Promise<void> {
  await withKnownAccess(at, async (access) => {
    if (!(await access.remove(name))) throw unknownToken(name)
    print(`Removed the token ${name}. Every process of the server refuses it within two seconds.`)
  })
}
