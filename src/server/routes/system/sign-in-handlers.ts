import * as contract from '../../../contract/routes/system-routes.ts'
import type { WireToken } from '../../../contract/shapes/shapes.ts'
import { loginCookie, loginIn } from '../../access/browser-login.ts'
import { callerWithLogin, tokenToSignIn } from '../../access/known-caller.ts'
import { HttpError } from '../../http/http-error.ts'
import type { Caller } from '../../http/request-env.ts'
import type { Services } from '../../sessions/services.ts'
import { handler } from '../handler.ts'

/** Gives a browser a login for a token or a link. */
export const signIn = handler(contract.signInRoute, async ({ body, request }, services) => {
  const token = tokenToSignIn(services, body)
  if (token === undefined)
    throw new HttpError(401, 'no-token', `this server does not know that ${body.link === undefined ? 'token' : 'link'}`)
  const { secret, expires } = services.grants.make({ kind: 'login', token: token.hash })
  const caller = callerWithLogin(services, secret)
  if (caller === undefined) throw new HttpError(401, 'no-token', 'this token has just ended')
  return Response.json(tokenAnswer(caller, services), {
    headers: { 'set-cookie': loginCookie(request, secret, expires) },
  })
})

/** Ends the login of a browser, in all of its tabs. */
export const signOut = handler(contract.signOutRoute, async ({ request }, { grants }) => {
  const login = loginIn(request)
  if (login !== undefined) grants.end(login)
  const gone = new Date(0).toISOString()
  return Response.json({ signed_out: true }, { headers: { 'set-cookie': loginCookie(request, '', gone) } })
})

/** Who the caller is, without the secret. */
export function tokenAnswer({ name, owner, access, session }: Caller, { server, version }: Services): WireToken {
  return { name, owner, access, session, workspaces: Object.keys(server.workspaces), version }
}
