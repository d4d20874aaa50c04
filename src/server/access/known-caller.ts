import type { Caller } from '../http/http-error.ts'
import type { Grant, Grants } from './grants.ts'
import { type AccessToken, findToken, ownerOf, type TokenSource, tokenWithHash } from './tokens.ts'

/** The tokens, and the grants that were made from them. */
export type Access = { readonly tokens: TokenSource; readonly grants: Grants }

/** The caller with a token, or with a link that shows one session. */
export function callerWithSecret({ tokens, grants }: Access, secret: string): Caller | undefined {
  const known = () => {
    const token = findToken(tokens(), secret)
    return token === undefined ? callerOf(tokens, grants.find('share', secret)) : callerFrom(token)
  }
  return watched(known)
}

/** The caller with the login of a browser. */
export function callerWithLogin({ tokens, grants }: Access, login: string): Caller | undefined {
  return watched(() => callerOf(tokens, grants.find('login', login)))
}

/** The token that a secret is exchanged for: its own, or that of a link that works once. */
export function tokenToSignIn(
  { tokens, grants }: Access,
  given: { readonly token?: string; readonly link?: string },
): AccessToken | undefined {
  if (given.token !== undefined) return findToken(tokens(), given.token)
  const grant = given.link === undefined ? undefined : grants.take('link', given.link)
  return grant && tokenWithHash(tokens(), grant.token, Date.now())
}

type Rights = Omit<Caller, 'isKnown'>

function callerOf(tokens: TokenSource, grant: Grant | undefined): Rights | undefined {
  const token = grant && tokenWithHash(tokens(), grant.token, Date.now())
  if (token === undefined) return undefined
  const rights = callerFrom(token)
  return grant?.session === undefined ? rights : { ...rights, access: 'read', session: grant.session }
}

function callerFrom(token: AccessToken): Rights {
  return { name: token.name, owner: ownerOf(token), access: token.access }
}

function watched(known: () => Rights | undefined): Caller | undefined {
  const rights = known()
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
