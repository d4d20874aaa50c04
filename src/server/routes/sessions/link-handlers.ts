import * as contract from '../../../contract/routes/link-routes.ts'
import { type AccessToken, ownerOf, tokenWithHash } from '../../access/tokens.ts'
import { type Caller, HttpError } from '../../http/http-error.ts'
import type { Services } from '../../sessions/services.ts'
import { type Handler, sessionHandler } from '../handler.ts'

const HOUR_MS = 60 * 60_000

const listLinks = sessionHandler(contract.listLinksRoute, async ({ caller }, { id }, { grants, tokens }) => {
  refuseGuest(caller)
  const links = grants.shares(id).flatMap(({ token, ...link }) => {
    const made = tokenWithHash(tokens(), token, Date.now())
    return made === undefined ? [] : [{ ...link, by: made.name }]
  })
  return { links: links.toSorted((a, b) => a.expires.localeCompare(b.expires)) }
})

const makeLink = sessionHandler(contract.makeLinkRoute, async ({ body = {}, caller }, { id }, services) => {
  refuseGuest(caller)
  const { hash, name } = tokenOf(services, caller)
  const expires = body.hours === undefined ? undefined : new Date(Date.now() + body.hours * HOUR_MS).toISOString()
  const made = services.grants.make({ kind: 'share', token: hash, session: id, expires })
  return { id: made.id, expires: made.expires, by: name, path: `/#share=${made.secret}` }
})

const endLink = sessionHandler(contract.endLinkRoute, async ({ params, caller }, { id }, { grants }) => {
  refuseGuest(caller)
  return { ended: grants.endShare(id, params.link) }
})

/** Read-only links to one session: list, make, end. */
export const linkHandlers: readonly Handler[] = [listLinks, makeLink, endLink]

/** A caller with a link to a session may not list, make or end links to it. */
function refuseGuest({ session }: Caller): void {
  if (session !== undefined) throw new HttpError(403, 'not-allowed', 'this link shows one session, and nothing else')
}

/** The token of the caller, also for the login of a browser. A link ends when this token ends. */
function tokenOf({ tokens }: Services, { name, owner }: Caller): AccessToken {
  const found = tokens().find((token) => token.name === name && ownerOf(token) === owner)
  if (found === undefined) throw new HttpError(401, 'no-token', 'this token has just ended')
  return found
}
