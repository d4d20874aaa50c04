import type { Route } from '../../../contract/routes/route.ts'
import * as contract from '../../../contract/routes/token-routes.ts'
import type { TokenSpending } from '../../../store/store.ts'
import { type AccessToken, ownerOf, type TokenBudget, type TokenRights } from '../../access/tokens.ts'
import { HttpError } from '../../http/http-error.ts'
import { type Handler, handler } from '../handler.ts'

const listTokens = adminHandler(contract.listTokensRoute, async ({ caller }, { access }) => {
  await access.refresh()
  const spent = await access.budgets.today()
  return { tokens: access.tokens.map((token) => wireToken(token, caller.token, spent.get(token.hash))) }
})

const makeToken = adminHandler(contract.makeTokenRoute, async ({ body, caller }, { access }) => {
  const rights = { access: body.access ?? 'write', admin: body.admin === true ? true : undefined } as const
  const made = await access.add({ ...body, ...rights, budget: budgetFrom(body.budget) })
  return { ...wireToken(made, caller.token), secret: made.secret }
})

const changeToken = adminHandler(contract.changeTokenRoute, async ({ params: { name }, body, caller }, { access }) => {
  await access.refresh()
  const { admin, expires, budget } = body
  const rights: Partial<TokenRights> = {
    ...(body.access === undefined ? {} : { access: body.access }),
    ...(admin === undefined ? {} : { admin: admin ? true : undefined }),
    ...(expires === undefined ? {} : { expires: expires ?? undefined }),
    ...(budget === undefined ? {} : { budget: budgetFrom(budget ?? undefined) }),
  }
  if (name === caller.name && Object.keys(rights).some((key) => key !== 'budget'))
    throw new HttpError(409, 'own-token', `you use the token ${name} now: only its budget can be changed with itself`)
  const changed = await access.change(name, rights)
  if (changed === undefined) throw unknownToken(name)
  return wireToken(changed, caller.token, (await access.budgets.today()).get(changed.hash))
})

const removeToken = adminHandler(contract.removeTokenRoute, async ({ params: { name }, caller }, { access }) => {
  if (name === caller.name)
    throw new HttpError(409, 'own-token', `you use the token ${name} now: remove it with another administrator's token`)
  if (!(await access.remove(name))) throw unknownToken(name)
  return { removed: true as const }
})

/** The tokens of the server, for administrators: list, make, change, remove. */
export const tokenHandlers: readonly Handler[] = [listTokens, makeToken, changeToken, removeToken]

/** A handler for administrators only. */
function adminHandler<R extends Route>(route: R, answer: Parameters<typeof handler<R>>[1]): Handler {
  return handler(route, async (call, services) => {
    if (!call.caller.isAdmin)
      throw new HttpError(403, 'not-admin', `the token ${call.caller.name} may not administer tokens`)
    return answer(call, services)
  })
}

function unknownToken(name: string): HttpError {
  return new HttpError(404, 'unknown-token', `there is no token ${name}`)
}

type WireBudget = NonNullable<contract.WireTokenInfo['budget']>

function budgetFrom(budget: WireBudget | undefined): TokenBudget | undefined {
  if (budget?.usd_per_day === undefined && budget?.tokens_per_day === undefined) return undefined
  return { dollarsPerDay: budget.usd_per_day, tokensPerDay: budget.tokens_per_day }
}

function wireToken(token: AccessToken, own: string, spent?: TokenSpending): contract.WireTokenInfo {
  const { name, hash, access, admin, expires, budget } = token
  return {
    name,
    owner: ownerOf(token),
    access,
    admin: admin === true,
    expires,
    budget: budget && { usd_per_day: budget.dollarsPerDay, tokens_per_day: budget.tokensPerDay },
    spent: { usd: spent?.cost ?? 0, tokens: spent?.tokens ?? 0 },
    is_own: hash === own,
  }
}
