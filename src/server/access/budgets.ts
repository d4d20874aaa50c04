import { AsyncLocalStorage } from 'node:async_hooks'
import { count, dollars } from '../../engine/report/numbers.ts'
import type { OpenModelDeps } from '../../llm/open-model.ts'
import type { Prices, Usage } from '../../model/types.ts'
import type { Store, TokenSpending } from '../../store/store.ts'
import { costOf } from '../../tokens/cost.ts'
import { HttpError } from '../http/http-error.ts'
import type { AccessToken } from './tokens.ts'

const DAY_MS = 24 * 60 * 60_000

/**
 * Counts the calls of the server's own models by token and day (UTC), and refuses further ones when the budget of a token is
 * used. Agents of sessions are shared by several tokens, so a call counts for the token whose work it is part of.
 */
export class Budgets {
  readonly #store: Pick<Store, 'addSpending' | 'spending'>
  readonly #tokenWithHash: (hash: string) => AccessToken | undefined
  readonly #clock: () => number
  readonly #worker = new AsyncLocalStorage<string>()
  /** The newest known sum of each token. */
  readonly #sums = new Map<string, TokenSpending>()
  /** Spending that is not stored yet, by token and day. */
  readonly #unsaved = new Map<string, TokenSpending>()
  #saving: Promise<void> = Promise.resolve()

  constructor(
    store: Pick<Store, 'addSpending' | 'spending'>,
    tokenWithHash: (hash: string) => AccessToken | undefined,
    clock: () => number,
  ) {
    this.#store = store
    this.#tokenWithHash = tokenWithHash
    this.#clock = clock
  }

  /** Models whose calls are counted, and refused in the middle of work when the budget is used. */
  metered(models: OpenModelDeps): OpenModelDeps {
    return {
      ...models,
      meter: {
        refusal: () => {
          const worker = this.#worker.getStore()
          return worker === undefined ? undefined : this.#refusal(worker)
        },
        count: (usage, prices) => this.#count(usage, prices),
      },
    }
  }

  /** Runs work for the token with this hash. All that it starts counts for the token. */
  run<T>(token: string, work: () => T): T {
    return this.#worker.run(token, work)
  }

  /** Refuses work with the server's own models if the budget of the token is used, by whichever process. */
  async check(token: string): Promise<void> {
    if (this.#tokenWithHash(token)?.budget === undefined) return
    const spent = (await this.today()).get(token)
    if (spent !== undefined) this.#sums.set(token, spent)
    const refusal = this.#refusal(token)
    if (refusal === undefined) return
    const retryAfterSeconds = Math.ceil((this.#tomorrow() - this.#clock()) / 1_000)
    throw new HttpError(429, 'budget-used', refusal, undefined, { retryAfterSeconds })
  }

  /** The spending of today by the hash of the token. */
  async today(): Promise<ReadonlyMap<string, TokenSpending>> {
    await this.#save()
    const rows = await this.#store.spending(this.#day())
    return new Map(rows.map((row) => [row.token, row]))
  }

  /** Stores the rest. */
  async close(): Promise<void> {
    await this.#save().catch(() => undefined)
  }

  #count(usage: Usage, prices: Prices | undefined): void {
    const token = this.#worker.getStore()
    if (token === undefined) return
    const day = this.#day()
    const key = `${token} ${day}`
    const { cost, tokens } = this.#unsaved.get(key) ?? { cost: 0, tokens: 0 }
    this.#unsaved.set(key, {
      token,
      day,
      // The cost of a model without known prices is not known. Its tokens count.
      cost: cost + (prices === undefined ? 0 : costOf(usage, prices)),
      tokens: tokens + usage.inputTokens + usage.outputTokens,
    })
    // If it cannot be stored now, it is stored with the next call.
    this.#save().catch(() => undefined)
  }

  /** Stores one sum after the other. */
  #save(): Promise<void> {
    this.#saving = this.#saving
      .catch(() => undefined)
      .then(async () => {
        for (const [key, spending] of [...this.#unsaved]) {
          this.#unsaved.delete(key)
          try {
            this.#sums.set(spending.token, await this.#store.addSpending(spending))
          } catch (error) {
            this.#unsaved.set(key, plus(spending, this.#unsaved.get(key)))
            throw error
          }
        }
      })
    return this.#saving
  }

  /** One line if the token has ended, or if its budget is used by the sums that this process knows. */
  #refusal(token: string): string | undefined {
    const known = this.#tokenWithHash(token)
    if (known === undefined) return 'the token of this work was removed or has expired'
    const { name, budget } = known
    if (budget === undefined) return undefined
    const day = this.#day()
    const sum = this.#sums.get(token)
    const none = { token, day, cost: 0, tokens: 0 }
    const spent = plus(sum?.day === day ? sum : none, this.#unsaved.get(`${token} ${day}`))
    const { dollarsPerDay = Number.POSITIVE_INFINITY, tokensPerDay = Number.POSITIVE_INFINITY } = budget
    const used =
      spent.cost >= dollarsPerDay
        ? `${dollars(dollarsPerDay)} a day (${dollars(spent.cost)} so far)`
        : spent.tokens >= tokensPerDay
          ? `${count(tokensPerDay)} tokens a day (${count(spent.tokens)} so far)`
          : undefined
    if (used === undefined) return undefined
    const until = new Date(this.#tomorrow()).toISOString().slice(0, 16).replace('T', ' ')
    return `the token ${name} has used its budget of ${used}: it is new at ${until} UTC`
  }

  #day(): string {
    return new Date(this.#clock()).toISOString().slice(0, 10)
  }

  #tomorrow(): number {
    return (Math.floor(this.#clock() / DAY_MS) + 1) * DAY_MS
  }
}

function plus(one: TokenSpending, other: TokenSpending | undefined): TokenSpending {
  return { ...one, cost: one.cost + (other?.cost ?? 0), tokens: one.tokens + (other?.tokens ?? 0) }
}
