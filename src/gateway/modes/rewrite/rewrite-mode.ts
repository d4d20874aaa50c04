import type { CompactInput } from '../../../engine/compact/compact.ts'
import { preview } from '../../../engine/compact/preview.ts'
import { overflowIn } from '../../../llm/failure/overflow.ts'
import type { PolicyPatch } from '../../../model/policy.ts'
import { policyOf } from '../../../model/presets.ts'
import type { LiveSession } from '../../../session/live-session.ts'
import { sessionSettings } from '../../../session/session-settings.ts'
import { recogniseCompaction } from '../../clients/recognise-compaction.ts'
import type { FaceRequest } from '../../faces/face.ts'
import { type Step, stepsOf } from '../../identity/conversation.ts'
import { findPlace } from '../../identity/find-place.ts'
import { placedSteps } from '../../identity/placed-steps.ts'
import { type AnswerDeps, answerMode } from '../answer/answer-mode.ts'
import type { Decision, Exchange, Mode, Refusal } from '../mode.ts'
import { applyPlan } from './apply-plan.ts'
import { countedRequest } from './counted-request.ts'
import { LiveViews } from './live-views.ts'
import { pinBeginning } from './pin-beginning.ts'
import { PlanMemory } from './plan-memory.ts'
import { isEmptyPlan, type RewritePlan, rewritePlan } from './rewrite-plan.ts'
import { warmRewrite } from './warm-rewrite.ts'

export type RewriteDeps = AnswerDeps & { readonly owner: string }

/**
 * Sends each request as its session's view is: what was compacted is left out and the record stands there, masked results
 * are handles. Compacts when the policy says so. Between two compactions each request extends the one before.
 */
export function rewriteMode(deps: RewriteDeps): Mode {
  const rewriter = new Rewriter(deps)
  return { name: 'rewrite', decide: (exchange, signal) => rewriter.decide(exchange, signal) }
}

class Rewriter {
  readonly #deps: RewriteDeps
  readonly #views: LiveViews
  readonly #plans = new PlanMemory()
  readonly #answer: Mode
  /** Windows that providers named when they refused a request, by model. */
  readonly #windows = new Map<string, number>()

  constructor(deps: RewriteDeps) {
    this.#deps = deps
    this.#views = new LiveViews(deps.store)
    this.#answer = answerMode(deps)
  }

  async decide(exchange: Exchange, signal: AbortSignal): Promise<Decision> {
    const counted = countedRequest(exchange.client)
    if (counted !== undefined) return this.#count(counted)
    const read = await exchange.read()
    if (read === undefined) return { kind: 'forward', why: 'no conversation' }
    // A client that compacts all the same, because its user says so, gets the record.
    if (recogniseCompaction(exchange.client, read) !== undefined) return this.#answer.decide(exchange, signal)
    const steps = stepsOf(read, this.#deps.owner)
    try {
      return await this.#rewrite(exchange, read, steps, signal)
    } catch (error) {
      const known = this.#plans.find(steps)
      if (known === undefined) throw error
      const why = `as before, because ${error instanceof Error ? error.message : String(error)}`
      return { kind: 'forward', why, body: bodyOf(read, known.plan) }
    }
  }

  async #rewrite(
    exchange: Exchange,
    read: FaceRequest,
    steps: readonly Step[],
    signal: AbortSignal,
  ): Promise<Decision> {
    const place = await exchange.place()
    if (place?.session === undefined) return { kind: 'forward', why: 'nothing was said' }
    const live = await this.#views.get(place.session)
    const plan = await this.#plan(live, steps)
    const wish = { exchange, read, signal }
    const isDue =
      policyOf(this.#policy(live)).mode === 'auto' &&
      preview(await this.#input(live, plan, { ...wish, reason: 'threshold' })).kind === 'compact'
    const why = isDue ? await this.#compact(live, steps, plan, { ...wish, reason: 'threshold' }) : undefined
    const current = why === undefined ? plan : await this.#plan(live, steps)
    return {
      kind: 'forward',
      why: why ?? (isEmptyPlan(current) ? 'short enough' : 'with its record'),
      body: bodyOf(read, current),
      again: (refusal) => this.#again(live, steps, { ...wish, reason: 'overflow' }, refusal),
    }
  }

  /** The same request for a window that the provider's refusal named. */
  async #again(live: LiveSession, steps: readonly Step[], wish: Wish, refusal: Refusal): Promise<string | undefined> {
    const overflow = overflowIn({ status: refusal.status, message: refusal.text, body: '' })
    if (overflow === undefined) return undefined
    const { exchange, read } = wish
    if (overflow.limit !== undefined) this.#windows.set(`${exchange.upstream.name}/${read.model}`, overflow.limit)
    const before = await this.#plan(live, steps)
    const why = await this.#compact(live, steps, before, wish)
    return why === undefined ? undefined : bodyOf(read, await this.#plan(live, steps))
  }

  /** A count of tokens is asked for what would be sent. Nothing is appended. */
  async #count(read: FaceRequest): Promise<Decision> {
    const steps = stepsOf(read, this.#deps.owner)
    const { store, holder } = this.#deps
    const place = await findPlace(
      store,
      steps.map(({ value }) => value),
      holder,
    )
    if (place === undefined) return { kind: 'forward', why: 'a count' }
    const plan = await this.#plan(await this.#views.get(place.session), steps)
    return { kind: 'forward', why: 'a count of what would be sent', body: bodyOf(read, plan) }
  }

  /** The plan for the view as it is now. What came behind a view that has not changed since stays as it is. */
  async #plan(live: LiveSession, steps: readonly Step[]): Promise<RewritePlan> {
    const { id, view } = live
    const { revision } = view
    const known = this.#plans.find(steps)
    const isSame = known?.session === id && known.revision === revision
    const plan = isSame ? known.plan : rewritePlan(await placedSteps(this.#deps.store, id, steps), view.items.slice())
    this.#plans.keep(steps, { plan, session: id, revision })
    return plan
  }

  /** Compacts the session. Returns how, or undefined when it was left as it is. */
  async #compact(
    live: LiveSession,
    steps: readonly Step[],
    plan: RewritePlan,
    wish: Wish,
  ): Promise<string | undefined> {
    await pinBeginning(live, await placedSteps(this.#deps.store, live.id, steps))
    const input = await this.#input(live, plan, wish)
    const result = await live.compact({ ...input, holder: this.#deps.holder })
    await live.refresh()
    if (!result.compacted) return undefined
    return `compacted from ${result.tokensBefore} to ${result.tokensAfter} tokens (${result.rung})`
  }

  /** The configuration's policy, with the session's own settings over it. */
  #policy({ log }: LiveSession): PolicyPatch {
    const own = sessionSettings(log).policy
    return own.preset === undefined ? { ...this.#deps.policy, ...own } : own
  }

  async #input(live: LiveSession, plan: RewritePlan, { exchange, read, signal, reason }: Wish): Promise<CompactInput> {
    const { clock, modelInfo, summaries, configured } = this.#deps
    const { upstream } = exchange
    const window = this.#windows.get(`${upstream.name}/${read.model}`)
    const info = modelInfo(upstream.name, read.model)
    return {
      log: live.log,
      view: live.view,
      policy: this.#policy(live),
      reason,
      signal,
      clock,
      fixed: read.fixed,
      model: window === undefined ? info : { ...info, contextWindow: window, maxInput: undefined },
      sparesWords: reason === 'overflow',
      summaryModels: summaries === 'configured' ? await configured() : [],
      warm: summaries === 'same-request' && reason === 'threshold' ? warmRewrite(exchange, read, plan) : undefined,
    }
  }
}

type Wish = {
  readonly exchange: Exchange
  readonly read: FaceRequest
  readonly signal: AbortSignal
  readonly reason: 'threshold' | 'overflow'
}

/** The changed body; undefined when the client's own bytes are sent. */
function bodyOf(read: FaceRequest, plan: RewritePlan): string | undefined {
  return isEmptyPlan(plan) ? undefined : applyPlan(read, plan)
}
