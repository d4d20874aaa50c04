import * as contract from '../../../contract/routes/link-routes.ts'
import { type Caller, HttpError } from '../../http/http-error.ts'
import { type Handler, sessionHandler } from '../handler.ts'

const HOUR_MS = 60 * 60_000

const listLinks = sessionHandler(contract.listLinksRoute, async ({ caller }, { id }, { access }) => {
  refuseGuest(caller)
  const links = access.shares(id).flatMap(({ token, ...link }) => {
    const made = access.tokenWithHash(token)
    return made === undefined ? [] : [{ ...link, by: made.name }]
  })
  return { links: links.toSorted((a, b) => a.expires.localeCompare(b.expires)) }
})

const makeLink = sessionHandler(contract.makeLinkRoute, async ({ body = {}, caller }, { id }, { access }) => {
  refuseGuest(caller)
  const forMs = body.hours === undefined ? undefined : body.hours * HOUR_MS
  const made = await access.makeGrant({ kind: 'share', token: caller.token, session: id, forMs })
  if (made === undefined) throw new HttpError(401, 'no-token', 'this token has just ended')
  return { id: made.id, expires: made.expires, by: caller.name, path: `/#share=${made.secret}` }
})

const endLink = sessionHandler(contract.endLinkRoute, async ({ params, caller }, { id }, { access }) => {
  refuseGuest(caller)
  return { ended: await access.endShare(id, params.link) }
})

/** Read-only links to one session: list, make, end. */
export const linkHandlers: readonly Handler[] = [listLinks, makeLink, endLink]

/** A caller with a link to a session may not list, make or end links to it. */
function refuseGuest({ session }: Caller): void {
  if (session !== undefined) throw new HttpError(403, 'not-allowed', 'this link shows one session, and nothing else')
}
