import type { Prices, Usage } from '../model/types.ts'
import { costOf } from '../tokens/cost.ts'
import type { ClientExchange, ExchangeFacts } from './client-exchange.ts'
import { recogniseCompaction } from './clients/recognise-compaction.ts'
import type { Decision } from './modes/mode.ts'
import type { Charge } from './recording/bill.ts'
import { CacheMisses } from './recording/cache-misses.ts'

/** The bill of a gateway. */
export type BillDeps = {
  /** The name of the agent, if all requests come from one. */
  readonly agent?: string
  /** The prices of a model of an upstream; undefined if they are not known. */
  readonly pricesOf: (upstream: string, model: string) => Prices | undefined
  readonly add: (charge: Charge) => void
}

type NotedRequest = ExchangeFacts & { readonly at: number; readonly decision: Decision; readonly status?: number }

/** Makes a charge for the bill of each request, with its cache miss. */
export class Charges {
  readonly #deps: BillDeps
  readonly #misses = new CacheMisses()

  constructor(deps: BillDeps) {
    this.#deps = deps
  }

  /** A request of a client, after its answer. Requests that ask for no answer, such as lists of models, are not on the bill. */
  add(exchange: ClientExchange, request: NotedRequest): void {
    const { at, decision, read, answer } = request
    if (read === undefined && decision.kind === 'forward') return
    const compactions = compactionsIn(exchange, request)
    // The call for a summary in an answer of ours is on the bill already.
    const usage = exchange.askedBytes > 0 && decision.kind === 'answer' ? undefined : answer?.usage
    this.#deps.add({
      at,
      agent: this.#agentOf(exchange),
      requests: 1,
      calls: usage === undefined ? [] : [this.#call(exchange, read?.model, usage)],
      compactions,
      summaryTry: decision.summaryTry,
      miss: this.#missOf(exchange, request, compactions),
      unknownWindow: decision.kind === 'forward' ? decision.unknownWindow : undefined,
    })
  }

  /** A call of our own for a summary, with the client's key. */
  addAsked(exchange: ClientExchange, model: string, usage: Usage, at: number): void {
    const calls = [this.#call(exchange, model, usage)]
    this.#deps.add({ at, agent: this.#agentOf(exchange), requests: 0, calls, compactions: 0 })
  }

  #missOf(exchange: ClientExchange, { at, decision, read, place, answer }: NotedRequest, compactions: number) {
    const session = place?.session
    if (session === undefined) return undefined
    if (compactions > 0) this.#misses.noteCompaction(session)
    const isStep = decision.kind === 'forward' && (compactions === 0 || decision.compacts === true)
    if (!isStep || read === undefined || answer?.usage === undefined) return undefined
    return this.#misses.add({
      session,
      upstream: exchange.upstream.name,
      read,
      body: decision.body ?? read.body,
      at,
      usage: answer.usage,
      reported: answer.cacheMiss,
    })
  }

  #call({ client, upstream }: ClientExchange, model: string | undefined, usage: Usage): Charge['calls'][number] {
    const isFree = model === undefined || isSubscription(client.headers)
    const prices = isFree ? undefined : this.#deps.pricesOf(upstream.name, model)
    return { usage, cost: prices && costOf(usage, prices) }
  }

  #agentOf({ client }: ClientExchange): string {
    return this.#deps.agent ?? /^[\w.-]{1,40}/.exec(client.headers['user-agent'] ?? '')?.[0] ?? 'unknown'
  }
}

/** Compactions by Pith, and those that the client's own model made. */
function compactionsIn({ client }: ClientExchange, { decision, read, status }: NotedRequest): number {
  if (decision.kind === 'answer') return decision.session === undefined ? 0 : 1
  if (decision.compacts === true) return 1
  return status === 200 && recogniseCompaction(client, read) !== undefined ? 1 : 0
}

/** True if a subscription pays: Claude Code names its sign-in among the features that it asks for. */
function isSubscription(headers: Readonly<Record<string, string>>): boolean {
  return /\boauth-/.test(headers['anthropic-beta'] ?? '')
}
