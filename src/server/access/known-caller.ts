import type { Caller } from '../http/request-env.ts'
import type { Grant, Grants } from './grants.ts'
import { type AccessToken, findToken, ownerOf, type TokenSource, tokenWithHash } from './tokens.ts'

/** Who may call: the tokens, and the grants that were made from them. */
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

/** The token that a secret is exchanged for: its own, or that of a link that counts once. */
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
