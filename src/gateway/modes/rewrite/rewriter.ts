import { SUMMARY_SECONDS } from '../../../config/tables/program-settings.ts'
import type { CompactInput } from '../../../engine/compact/compact.ts'
import { dueCompaction } from '../../../engine/compact/preview.ts'
import { statusIn } from '../../../engine/context/context.ts'
import { isCacheCold } from '../../../engine/context/open-context.ts'
import { requestedCompaction } from '../../../engine/context/view/activity.ts'
import { rewriteText } from '../../../engine/report/outcome.ts'
import type { RetryDeps } from '../../../llm/call/chat-model.ts'
import { overflowIn } from '../../../llm/failure/overflow.ts'
import type { Policy } from '../../../model/policy/policy.ts'
import { policyOf } from '../../../model/policy/presets.ts'
import { messageOf } from '../../../model/problems/errors.ts'
import { type Message, textOf, type WarmModel } from '../../../model/types.ts'
import type { CompactSessionInput } from '../../../session/compaction/compact-session.ts'
import type { LiveSession } from '../../../session/live-session.ts'
import { dueRequest, endRequest } from '../../../session/model-requests.ts'
import { sessionPolicy, settingsIn } from '../../../session/open-session.ts'
import type { SessionId } from '../../../store/store.ts'
import { cachedMs } from '../../faces/cached-ms.ts'
import type { ChainStep, FaceRequest } from '../../faces/face.ts'
import { type RequestConversation, requestConversation, stepsOf } from '../../identity/conversation.ts'
import { findPlace, type PlacedStep, placedSteps } from '../../identity/find-place.ts'
import type { SummaryTry } from '../../recording/bill.ts'
import type { AnswerDeps } from '../answer/answer-mode.ts'
import { askSummary, SILENCE_SHARE, summaryLimit, Tries } from '../ask-summary.ts'
import type { Decision, Exchange, ProviderRefusal, SecondTry } from '../mode.ts'
import { applyPlan } from './apply-plan.ts'
import { LiveViews, PreparedRewrites } from './prepared-rewrites.ts'
import { isEmptyPlan, PlanMemory, type RewritePlan, rewritePlan } from './rewrite-plan.ts'

export type RewriteDeps = AnswerDeps & {
  /** When sessions are compacted: when the policy says so, or only when a provider refuses a request as too long. */
  readonly compacts?: 'by-policy' | 'on-overflow'
  /** How long a step of the client's work may wait for a summary. */
  readonly rewriteMs?: number
}

/** How long a model may send nothing while nobody waits for its summary. */
const BACKGROUND_SILENCE_MS = 300_000

/**
 * Sends each request with the messages of its session's view: a record replaces the messages that were compacted, masked
 * results are handles. Between two compactions each request extends the one before.
 */
export class Rewriter {
  readonly #deps: RewriteDeps
  /** The configured policy, for decisions that need no settings of a session. */
  readonly #configured: Policy
  readonly #views: LiveViews
  readonly #plans = new PlanMemory()
  readonly #prepared = new PreparedRewrites()
  /** Windows that providers named when they refused a request, by model. */
  readonly #windows = new Map<string, number>()

  constructor(deps: RewriteDeps) {
    this.#deps = deps
    this.#configured = policyOf(deps.policy)
    this.#views = new LiveViews(deps.store)
  }

  /** True for a conversation that continues one that was rewritten. */
  knows(read: FaceRequest): boolean {
    return this.#plans.find(requestConversation(read, this.#deps.owner).chain) !== undefined
  }

  /** The same request with a compaction, if the provider has refused it as too long. */
  async rescued(
    exchange: Exchange,
    read: FaceRequest,
    refusal: ProviderRefusal,
    signal: AbortSignal,
  ): Promise<SecondTry | undefined> {
    const { chain } = requestConversation(read, this.#deps.owner)
    return this.#again({ exchange, read, signal, reason: 'overflow', isWhole: true }, chain, refusal)
  }

  async rewritten(exchange: Exchange, read: FaceRequest, signal: AbortSignal): Promise<Decision> {
    const conversation = requestConversation(read, this.#deps.owner)
    const wish: Wish = { exchange, read, signal, reason: 'threshold' }
    try {
      return (await this.#fromMemory(wish, conversation)) ?? (await this.#rewrite(wish, conversation.chain))
    } catch (error) {
      const known = this.#plans.find(conversation.chain)
      if (known === undefined) throw error
      const why = `as before, because ${messageOf(error)}`
      return { kind: 'forward', why, body: bodyOf(read, known.plan) }
    }
  }

  /**
   * The request with the plan of the last one, if the state in memory is enough: the request continues where this gateway
   * left the session, and no compaction is due. It is recorded after the first write to the provider.
   */
  async #fromMemory(wish: Wish, { chain, tail }: RequestConversation): Promise<Decision | undefined> {
    const { exchange } = wish
    const end = await exchange.endBefore(chain)
    const known = this.#plans.find(chain)
    if (end === undefined || known?.session !== end.session || !this.#views.has(end.session)) return undefined
    const live = await this.#views.get(end.session)
    const fresh = chain.length - end.known
    const pending = tail.slice(Math.max(0, tail.length - fresh)).map(({ message }) => message)
    const isRead = pending.length === fresh && pending.every(({ role }) => role !== 'assistant')
    const isEnd = (live.log.findLast(({ type }) => type === 'message')?.seq ?? 0) <= end.seq
    if (!isRead || !isEnd || known.revision !== live.view.revision) return undefined
    if (this.#isDue(live, wish, pending)) return undefined
    this.#plans.keep(chain, known)
    return this.#forward(known.plan, wish, chain)
  }

  async #rewrite(wish: Wish, chain: readonly ChainStep[]): Promise<Decision> {
    const place = await wish.exchange.place()
    if (place?.session === undefined) return { kind: 'forward', why: 'nothing was said' }
    const live = await this.#views.get(place.session)
    const plan = await this.#plan(live, wish.read, chain)
    await this.#dropOthers(live, chain)
    const made = this.#isDue(live, wish) ? await this.#compact(live, plan, wish) : undefined
    const current = made === undefined ? plan : await this.#plan(live, wish.read, chain)
    return this.#forward(current, wish, chain, made)
  }

  #forward(plan: RewritePlan, wish: Wish, chain: readonly ChainStep[], made?: MadeCompaction): Decision {
    const unknownWindow = this.#unknownWindow(wish)
    return {
      kind: 'forward',
      why: made?.why ?? (isEmptyPlan(plan) ? unchangedText(unknownWindow) : changeText(plan)),
      compacts: made !== undefined,
      summaryTry: made?.summaryTry,
      unknownWindow,
      body: bodyOf(wish.read, plan),
      again: (refusal) => this.#again({ ...wish, reason: 'overflow' }, chain, refusal),
      recorded: () => this.#prepareAhead(plan, wish),
    }
  }

  /** The name of a model whose window is unknown: only the provider can then say that a request is too long. */
  #unknownWindow({ exchange: { upstream }, read }: Wish): string | undefined {
    const { compacts, modelInfo } = this.#deps
    const name = `${upstream.name}/${read.model}`
    const window = this.#windows.get(name) ?? modelInfo(upstream.name, read.model).contextWindow
    const isMeasured = window !== undefined || this.#configured.tokenLimit !== undefined
    return isMeasured || compacts === 'on-overflow' ? undefined : name
  }

  /**
   * Prepares the digest of the next compaction, and begins its summary if the policy wants that and the trigger is near. The
   * answer has come, so the provider has the request in its cache.
   */
  async #prepareAhead(plan: RewritePlan, wish: Wish): Promise<void> {
    const { compacts, summaries } = this.#deps
    if (compacts === 'on-overflow') return
    const place = await wish.exchange.place()
    if (place?.session === undefined) return
    const live = await this.#views.get(place.session)
    const input = this.#input(live, wish)
    this.#prepared.prepareDigest(live, input)
    if (summaries === 'none' || this.#configured.preparePercent === 0) return
    await this.#prepared.dropOutdated(live)
    if (!this.#prepared.isTime(live, input)) return
    await pinBeginning(live, await this.#placed(live.id, wish.read))
    this.#prepared.begin(live, await this.#writing(live, plan, wish))
  }

  /** Drops the prepared compaction of a conversation that has changed or continues in another session. */
  async #dropOthers(live: LiveSession, chain: readonly ChainStep[]): Promise<void> {
    await this.#prepared.dropOutdated(live)
    const before = this.#plans.find(chain.slice(0, -1))?.session
    if (before !== undefined && before !== live.id)
      await this.#prepared.drop(before, 'the conversation continued in another session')
  }

  /** True if the policy wants a compaction before this request. `pending`: its messages that are not in the log yet. */
  #isDue(live: LiveSession, wish: Wish, pending: readonly Message[] = []): boolean {
    return this.#deps.compacts !== 'on-overflow' && this.#isFull(live, wish, pending)
  }

  #isFull(live: LiveSession, wish: Wish, pending: readonly Message[] = []): boolean {
    const input = { ...this.#input(live, wish), pending }
    const context = live.context(settingsIn(input))
    if (context.policy.mode !== 'auto') return false
    // Only when the new results are in the log is it known whether they end a piece of work.
    const { endOfWorkTrigger = Number.POSITIVE_INFINITY } = context.budget
    const mayEnd = statusIn(context).tokens >= endOfWorkTrigger || requestedCompaction(live.log) !== undefined
    if (pending.length > 0 && mayEnd) return true
    if (dueRequest(context) !== undefined) return true
    const due = dueCompaction(context, input)
    // The results of pending calls may be among the messages that are not in the log.
    return due.kind === 'compact' || due.skip === 'pending-tool-calls'
  }

  /** The same request for a window that the provider's refusal named. */
  async #again(wish: Wish, chain: readonly ChainStep[], refusal: ProviderRefusal): Promise<SecondTry | undefined> {
    const overflow = overflowIn({ status: refusal.status, message: refusal.text, body: '' })
    if (overflow === undefined) return undefined
    const { exchange, read } = wish
    if (overflow.limit !== undefined) this.#windows.set(`${exchange.upstream.name}/${read.model}`, overflow.limit)
    const place = await exchange.place()
    if (place?.session === undefined) return undefined
    const live = await this.#views.get(place.session)
    const before = await this.#plan(live, read, chain)
    // Another server, or this one before a restart, may have compacted a session whose whole history the client sent.
    const fits = wish.isWhole && !isEmptyPlan(before) && !this.#isFull(live, { ...wish, reason: 'threshold' })
    const made = fits ? undefined : await this.#compact(live, before, wish)
    const plan = made === undefined ? before : await this.#plan(live, read, chain)
    const body = bodyOf(read, plan)
    if (body === undefined) return undefined
    const why = `refused as too long, ${made?.why ?? changeText(plan)}, sent again`
    return { body, why, compacts: made !== undefined, summaryTry: made?.summaryTry }
  }

  /** A request to count tokens is forwarded with the messages that would be sent. Nothing is appended. */
  async counted(read: FaceRequest): Promise<Decision> {
    const { store, holder, owner } = this.#deps
    const { chain } = requestConversation(read, owner)
    const place = await findPlace(
      store,
      chain.map(({ value }) => value),
      holder,
    )
    if (place === undefined) return { kind: 'forward', why: 'a count' }
    const plan = await this.#plan(await this.#views.get(place.session), read, chain)
    return { kind: 'forward', why: 'a count of what would be sent', body: bodyOf(read, plan) }
  }

  /** The plan for the current view. If the view has not changed, the earlier plan still fits: new messages stay unchanged. */
  async #plan(live: LiveSession, read: FaceRequest, chain: readonly ChainStep[]): Promise<RewritePlan> {
    const { id, view } = live
    const { revision } = view
    const known = this.#plans.find(chain)
    const isSame = known?.session === id && known.revision === revision
    const plan = isSame ? known.plan : rewritePlan(await this.#placed(id, read), view.items.slice())
    this.#plans.keep(chain, { plan, session: id, revision })
    return plan
  }

  #placed(id: SessionId, read: FaceRequest): Promise<PlacedStep[]> {
    return placedSteps(this.#deps.store, id, stepsOf(read, this.#deps.owner))
  }

  /** Compacts the session. Returns how, or undefined when nothing changed. */
  async #compact(live: LiveSession, plan: RewritePlan, wish: Wish): Promise<MadeCompaction | undefined> {
    const { holder: sessions, leaseHolder: holder = sessions, rewriteMs = SUMMARY_SECONDS.rewrite * 1_000 } = this.#deps
    // From now on the client waits, also for a summary that is still being prepared.
    const callSignal = summaryLimit(rewriteMs)
    const taker = { holder, signal: AbortSignal.any([wish.signal, callSignal()]) }
    const requested = this.#requested(live, wish)
    const isPlain = wish.reason === 'threshold' && requested === undefined
    const ready = isPlain ? await this.#prepared.take(live, taker) : undefined
    if (ready === undefined) await pinBeginning(live, await this.#placed(live.id, wish.read))
    const tries = new Tries()
    const silenceMs = rewriteMs * SILENCE_SHARE
    const made = { callSignal, onEvent: tries.onEvent, ...requested }
    const result = ready ?? (await live.compact({ ...(await this.#writing(live, plan, wish, silenceMs)), ...made }))
    await live.refresh()
    if (!result.compacted && result.outcome !== 'busy') await endRequest(live, result.reason)
    if (!result.compacted) return undefined
    const when = ready === undefined ? 'at once' : 'prepared'
    return { why: rewriteText(result, { when, tries: tries.count }), summaryTry: tries.ended(result) }
  }

  /** A request of the model: its focus and, at an end of work, a compaction below the trigger. */
  #requested(live: LiveSession, wish: Wish): Pick<CompactInput, 'focus' | 'reason'> | undefined {
    const asked = requestedCompaction(live.log)?.compact
    if (asked === undefined) return undefined
    const isDue = dueRequest(live.context(settingsIn(this.#input(live, wish)))) !== undefined
    return { focus: asked.focus, reason: isDue && wish.reason === 'threshold' ? 'manual' : wish.reason }
  }

  /** The input of a compaction, with the models that may write its summary. */
  async #writing(
    live: LiveSession,
    plan: RewritePlan,
    wish: Wish,
    silenceMs = BACKGROUND_SILENCE_MS,
  ): Promise<CompactSessionInput> {
    const { summaries, configured, holder: sessions, leaseHolder: holder = sessions, retries } = this.#deps
    const { exchange, read, reason } = wish
    const isWarm = summaries === 'same-request' && reason === 'threshold'
    return {
      ...this.#input(live, wish),
      holder,
      summaryModels: summaries === 'configured' ? await configured() : [],
      warm: isWarm ? warmRewrite(exchange, read, plan, { silenceMs, retries }) : undefined,
    }
  }

  #input(live: LiveSession, { exchange, read, signal, reason }: Wish): Omit<CompactInput, 'log' | 'view'> {
    const { clock, modelInfo, policy } = this.#deps
    const { upstream } = exchange
    const window = this.#windows.get(`${upstream.name}/${read.model}`)
    const info = modelInfo(upstream.name, read.model)
    return {
      policy: sessionPolicy(live.log, policy),
      reason,
      signal,
      clock,
      fixed: read.fixed,
      cacheCold: isCacheCold(live.log, clock(), cachedMs(read)),
      model: window === undefined ? info : { ...info, contextWindow: window, maxInput: undefined },
      sparesWords: reason === 'overflow',
    }
  }
}

/** A compaction that was made for a request, in words and for the bill. */
type MadeCompaction = { readonly why: string; readonly summaryTry?: SummaryTry | undefined }

type Wish = {
  readonly exchange: Exchange
  readonly read: FaceRequest
  readonly signal: AbortSignal
  readonly reason: 'threshold' | 'overflow'
  /** The request was sent as the client wrote it, without the plan of its session. */
  readonly isWhole?: true
}

/** Why a request is sent unchanged. */
function unchangedText(unknownWindow: string | undefined): string {
  if (unknownWindow === undefined) return 'short enough'
  return `not compacted before it is full: the configuration names no context_window for ${unknownWindow}`
}

/** How a request differs from the one that the client sent, if no compaction was made for it. */
function changeText({ records }: RewritePlan): string {
  return records.length > 0 ? 'with its record' : 'with messages masked or shortened before'
}

/** The changed body; undefined when the client's own bytes are sent. */
function bodyOf(read: FaceRequest, plan: RewritePlan): Buffer | undefined {
  return isEmptyPlan(plan) ? undefined : applyPlan(read, plan)
}

/**
 * The client's own model, asked with the request as it would be sent now and our directive last. The provider has most of it
 * in its cache, and the client's own key pays.
 */
function warmRewrite(
  exchange: Exchange,
  read: FaceRequest,
  plan: RewritePlan,
  patience: { readonly silenceMs: number; readonly retries?: RetryDeps | undefined },
): WarmModel {
  const bodyWith = (directive: string) => {
    const records = [...plan.records, { before: read.messages.length, text: directive }]
    return applyPlan(read, { ...plan, records })
  }
  return {
    name: `${exchange.upstream.name}/${read.model}`,
    stream: (directive, signal) => askSummary(exchange, read, { ...patience, body: bodyWith(directive), signal }),
  }
}

/** A longer beginning would take too much of the context that a compaction aims at. */
const MOST_CHARACTERS = 40_000

/**
 * Pins the client's messages before the first answer. Agents describe the folder, the tools and the skills there, and only
 * once: a record cannot replace them.
 */
async function pinBeginning(live: LiveSession, steps: readonly PlacedStep[]): Promise<void> {
  const answer = steps.findIndex(({ message }) => message.role !== 'user')
  const beginning = steps.slice(0, Math.max(0, answer))
  if (beginning.reduce((sum, { message }) => sum + textOf(message).length, 0) > MOST_CHARACTERS) return
  const seqs = new Set(beginning.map(({ seq }) => seq))
  const loose = live.view.items.slice().filter((item) => item.kind === 'message' && !item.pinned && seqs.has(item.seq))
  if (loose.length > 0) await live.append(loose.map(({ seq }) => ({ type: 'pin', target: seq, on: true })))
}
