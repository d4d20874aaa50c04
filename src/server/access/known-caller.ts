import type { Caller } from '../http/http-error.ts'
import type { AccessBook } from './access-book.ts'
import { type AccessToken, ownerOf } from './tokens.ts'

/** The caller with a token, or with a link that shows one session. */
export function callerWithSecret(access: AccessBook, secret: string): Promise<Caller | undefined> {
  return watched(access, () => {
    const token = access.token(secret)
    return token === undefined ? callerOf(access.grant('share', secret)) : callerFrom(token)
  })
}

/** The caller with the login of a browser. */
export function callerWithLogin(access: AccessBook, login: string): Promise<Caller | undefined> {
  return watched(access, () => callerOf(access.grant('login', login)))
}

/** The token that a secret is exchanged for: its own, or that of a link that works once. */
export async function tokenToSignIn(
  access: AccessBook,
  given: { readonly token?: string; readonly link?: string },
): Promise<AccessToken | undefined> {
  if (given.token !== undefined) return tokenOfSecret(access, given.token)
  return given.link === undefined ? undefined : access.takeGrant('link', given.link)
}

/** The token of a secret. Another process may have made it a moment ago, so the store is asked before it counts as unknown. */
export async function tokenOfSecret(access: AccessBook, secret: string): Promise<AccessToken | undefined> {
  const known = access.token(secret)
  if (known !== undefined) return known
  await access.refresh()
  return access.token(secret)
}

type Rights = Omit<Caller, 'isKnown'>

function callerOf(grant: ReturnType<AccessBook['grant']>): Rights | undefined {
  if (grant === undefined) return undefined
  const rights = callerFrom(grant.token)
  return grant.session === undefined ? rights : { ...rights, access: 'read', isAdmin: false, session: grant.session }
}

function callerFrom(token: AccessToken): Rights {
  const { name, access, admin, hash } = token
  return { name, owner: ownerOf(token), access, isAdmin: admin === true, token: hash }
}

/** The caller, if it is known, also by the store. */
async function watched(access: AccessBook, known: () => Rights | undefined): Promise<Caller | undefined> {
  let rights = known()
  if (rights === undefined) {
    await access.refresh()
    rights = known()
  }
  return rights && { ...rights, isKnown: () => known() !== undefined }
}

/** The header that gives a login to a browser, or removes it. No script can read the cookie, and no other site can send it. */
export function loginCookie(request: Request, secret: string, expires: string): string {
  const secure = request.headers.get('origin')?.startsWith('https://') === true ? '; Secure' : ''
  const until = new Date(expires).toUTCString()
  return `${cookieName(hostIn(request))}=${secret}; Path=/; HttpOnly; SameSite=Strict; Expires=${until}${secure}`
}

/** The login that a browser sends. A page of another origin on this machine counts as the same site, so its requests are refused here. */
export function loginIn(request: Request): string | undefined {
  const from = request.headers.get('sec-fetch-site')
  if (from !== null && from !== 'same-origin' && from !== 'none') return undefined
  const name = cookieName(hostIn(request))
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2)
    if (key === name) return value
  }
  return undefined
}

/** True if a page of this server sent the request. A browser sends the origin with every request that may change something. */
export function isOwnOrigin(request: Request): boolean {
  const origin = request.headers.get('origin')
  return origin !== null && URL.canParse(origin) && new URL(origin).host.toLowerCase() === hostIn(request)
}

/** The name of the cookie. Browsers ignore the port, so two servers on a machine need two names. */
function cookieName(host: string): string {
  return `pith_login_${/:(\d+)$/.exec(host)?.[1] ?? ''}`
}

function hostIn(request: Request): string {
  return (request.headers.get('host') ?? new URL(request.url).host).toLowerCase()
}
