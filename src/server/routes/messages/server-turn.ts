import type { AgentEvent, TurnEnd } from '../../../agent/agent.ts'
import { abortText, interruptedResults, LOST_TRACK, openCallsOf } from '../../../agent/interruption.ts'
import { runTurn } from '../../../agent/loop/run-turn.ts'
import type { AskPermission } from '../../../agent/permissions/permission-gate.ts'
import type { WireTurnEnd, WireWork } from '../../../contract/shapes/shapes.ts'
import { stepToWire, toWire, wireEntry } from '../../../contract/shapes/wire.ts'
import type { WireEvent } from '../../../contract/shapes/wire-events.ts'
import { unchangedText } from '../../../engine/report/outcome.ts'
import { unreachable } from '../../../model/problems/errors.ts'
import { callsOf, type EntryDraft, type Seq, textOf, type UserMessage } from '../../../model/types.ts'
import type { HeldLease } from '../../../session/compaction/hold-lease.ts'
import { originIn } from '../../../session/import/origin.ts'
import { HttpError } from '../../http/http-error.ts'
import { checkSame } from '../../http/same-request.ts'
import { compactionLine } from '../../observe/watch-requests.ts'
import type { ServedSession } from '../../sessions/live-sessions.ts'
import { calledModel } from '../../sessions/measure.ts'
import { serverAgent } from '../../sessions/server-agent.ts'
import type { Services } from '../../sessions/services.ts'
import { EventQueue } from '../../stream/event-queue.ts'
import type { QuestionNews } from '../../work/turn-input.ts'
import { runningOf, workHolder } from '../../work/work-list.ts'
import { wireResult } from '../compact/wire-compaction.ts'

/** The events that a turn sends to its reader, in order. */
export type TurnNews =
  | { readonly type: 'stored'; readonly seq?: Seq }
  | { readonly type: 'waiting'; readonly running: WireWork }
  | { readonly type: 'agent'; readonly event: AgentEvent }
  | QuestionNews
  | { readonly type: 'ended'; readonly end: TurnEnd; readonly seq?: Seq }

export type Turn = {
  readonly id: string
  readonly news: EventQueue<TurnNews>
  readonly done: Promise<{ readonly end: TurnEnd; readonly seq?: Seq }>
}

type TurnRequest = {
  readonly id: string
  /** The hash of the token that the turn counts for. */
  readonly token: string
  readonly message: UserMessage | undefined
  readonly key: string | undefined
  /** Aborts when the reader disconnects; undefined when the reader answers no questions. */
  readonly reader?: AbortSignal | undefined
}

/**
 * Stores the user's message and runs the agent once the session is free. During a compaction the message is stored at once.
 * During another turn it is stored when that turn has ended, so that no call is separated from its result. A message that was
 * answered before under the same key is not answered again.
 */
export async function startTurn(services: Services, served: ServedSession, request: TurnRequest): Promise<Turn> {
  const { model, missing } = await modelFor(services, served)
  if (missing !== undefined) throw new HttpError(409, 'no-model', missing)
  const { budgets } = services.access
  await budgets.check(request.token)
  const news = new EventQueue<TurnNews>()
  const done = services.workList.start(served.id, { kind: 'turn', id: request.id }, (signal) =>
    budgets.run(request.token, () => new ServerTurn(services, served, request, news).run(model, signal)),
  )
  // Callers that wait for `done` get the error; without any, this keeps it from being an unhandled rejection.
  done.catch(() => undefined).finally(() => news.end())
  return { id: request.id, news, done }
}

async function modelFor(services: Services, { live }: ServedSession) {
  const { chat, missing } = await calledModel(services, live.log, originIn(live.log))
  return { model: chat, missing }
}

class ServerTurn {
  readonly #services: Services
  readonly #served: ServedSession
  readonly #request: TurnRequest
  readonly #news: EventQueue<TurnNews>
  readonly #holder: string
  #seq: Seq | undefined
  #closeSteering = () => {}

  constructor(services: Services, served: ServedSession, request: TurnRequest, news: EventQueue<TurnNews>) {
    this.#services = services
    this.#served = served
    this.#request = request
    this.#news = news
    this.#holder = workHolder({ kind: 'turn', id: request.id })
  }

  async run(model: Awaited<ReturnType<typeof modelFor>>['model'], signal: AbortSignal) {
    const lease = await this.#lease(signal)
    if (!lease.ok) return this.#ended(aborted(signal))
    try {
      const agent = await serverAgent(this.#services, this.#served, model)
      await agent.live.refresh()
      await this.#store('under-lease')
      await agent.live.refresh()
      const answered = this.#answered()
      if (answered !== undefined) return this.#ended(answered)
      this.#served.holder = this.#holder
      this.#served.onEvent = (event) => this.#take(event)
      this.#served.ask = this.#asker()
      const close = this.#services.steering.open(this.#served.id, {
        id: this.#request.id,
        take: (message) => agent.steering.push(message),
      })
      this.#closeSteering = () => {
        close()
        // The caller sends messages again that the turn did not take.
        agent.steering.length = 0
      }
      const end = await runTurn(agent, undefined, signal)
      this.#services.metrics.add('pith_turns_total', { reason: end.reason })
      return this.#ended(end)
    } finally {
      this.#closeSteering()
      this.#served.onEvent = () => {}
      this.#served.ask = undefined
      await lease.release()
    }
  }

  /** Passes an event on to the reader. An automatic compaction is also a line of the server's log (A14). */
  #take(event: AgentEvent): void {
    if (event.type === 'turn-ended') this.#closeSteering()
    this.#news.push({ type: 'agent', event })
    const line = event.type === 'compaction-ended' ? compactionLine(this.#served.id, event) : undefined
    if (line !== undefined) this.#services.log?.(line)
  }

  /** Asks the reader for permission until it disconnects. */
  #asker(): AskPermission | undefined {
    const { reader } = this.#request
    if (reader === undefined || reader.aborted) return undefined
    reader.addEventListener('abort', () => {
      this.#served.ask = undefined
    })
    return this.#services.questions.asker(this.#served.id, (news) => this.#news.push(news), reader)
  }

  /** Waits for the lease; during a compaction the message is stored meanwhile. */
  #lease(signal: AbortSignal): Promise<HeldLease> {
    let announced = ''
    const onBusy = async (holder: string) => {
      const running = runningOf(holder)
      if (running.kind === 'compaction') await this.#store('at-once')
      if (announced !== holder) this.#news.push({ type: 'waiting', running })
      announced = holder
    }
    return this.#services.turns.take(this.#served.id, { holder: this.#holder, onBusy }, signal)
  }

  /**
   * Stores the message. Under the lease, calls that an interrupted run left open get a result first: only the holder
   * knows that the run is over.
   */
  async #store(when: 'at-once' | 'under-lease'): Promise<void> {
    const { message, key, id } = this.#request
    if (message === undefined || this.#seq !== undefined) return
    const { live } = this.#served
    const lost = when === 'at-once' ? [] : interruptedResults(openCallsOf(live.view), LOST_TRACK)
    const drafts: EntryDraft[] = [...lost, { type: 'message', message }]
    const appended = await this.#services.store.append(live.id, drafts, { key: key ?? id })
    if (!appended.ok) throw new Error('unreachable: an append without conditions is not refused')
    const stored = appended.entries.at(-1)
    if (key !== undefined) checkSame(stored === undefined ? [] : [stored], [{ type: 'message', message }])
    this.#seq = stored?.seq
    this.#news.push({ type: 'stored', seq: this.#seq })
    this.#services.metrics.add('pith_messages_total')
  }

  /** The answer that the message already has: another turn answered it along with its own, or it was posted before. */
  #answered(): TurnEnd | undefined {
    const seq = this.#seq
    if (seq === undefined) return undefined
    const answer = this.#served.live.log.findLast(
      (entry) =>
        entry.seq > seq &&
        entry.type === 'message' &&
        entry.message.role === 'assistant' &&
        callsOf(entry.message).length === 0,
    )
    if (answer?.type !== 'message') return undefined
    return { reason: 'done', text: 'Answered already', answer: textOf(answer.message), steps: 0 }
  }

  #ended(end: TurnEnd) {
    const result = { end, seq: this.#seq }
    this.#news.push({ type: 'ended', ...result })
    return result
  }
}

function aborted(signal: AbortSignal): TurnEnd {
  return { reason: 'aborted', text: abortText(signal), answer: '', steps: 0 }
}

/** The end of a turn as it goes over HTTP. */
export function wireEnd({ reason, text, answer, steps, usage, cost }: TurnEnd): WireTurnEnd {
  return { reason, text, answer, steps, usage: toWire(usage), cost }
}

/** A turn as server-sent events, `turn.ended` last. */
export async function* turnEvents(session: string, turn: Turn, signal: AbortSignal): AsyncGenerator<WireEvent, void> {
  for await (const news of turn.news.events(signal)) {
    const event = eventOf(session, turn.id, news)
    if (event !== undefined) yield event
  }
  // A turn that threw has sent no `turn.ended`: pass its error on.
  if (!signal.aborted) await turn.done
}

function eventOf(session_id: string, id: string, news: TurnNews): WireEvent | undefined {
  switch (news.type) {
    case 'stored':
      return { event: 'turn.stored', data: { session_id, id, seq: news.seq } }
    case 'waiting':
      return { event: 'turn.waiting', data: { session_id, id, running: news.running } }
    case 'ended':
      return { event: 'turn.ended', data: { session_id, id, seq: news.seq, end: wireEnd(news.end) } }
    case 'question':
      return { event: 'question', data: { session_id, ...news.question } }
    case 'question-closed':
      return { event: 'question.closed', data: { session_id, id: news.id } }
    case 'agent':
      return agentEvent(session_id, id, news.event)
    default:
      return unreachable(news)
  }
}

function agentEvent(session_id: string, id: string, event: AgentEvent): WireEvent | undefined {
  switch (event.type) {
    case 'turn-started':
      return { event: 'turn.started', data: { session_id, id } }
    case 'step-started':
      return { event: 'step.started', data: { step: event.step } }
    case 'text':
    case 'reasoning':
    case 'notice':
      return { event: event.type, data: { text: event.text } }
    case 'status':
      return { event: 'status', data: { status: event.status } }
    case 'tool-input':
      return { event: 'tool.input', data: withoutType(event) }
    case 'tool-output':
      return { event: 'tool.output', data: withoutType(event) }
    case 'tool-started':
      return { event: 'tool.started', data: withoutType(event) }
    case 'tool-finished':
      return { event: 'tool.finished', data: withoutType(event) }
    case 'retry':
      return { event: 'retry', data: { attempt: event.attempt, in_ms: event.inMs, reason: event.failure.text } }
    case 'answer-void':
      return { event: 'answer.void', data: { session_id, reason: event.failure.text } }
    case 'entry':
      return { event: 'entry', data: { session_id, seq: event.entry.seq, entry: wireEntry(event.entry) } }
    case 'compaction':
      return stepToWire(session_id, event.event, event.automatic)
    case 'compaction-ended':
      // The contract has no result for a refusal by a hook, because nothing was tried.
      if (event.result.outcome === 'refused') return { event: 'notice', data: { text: unchangedText(event.result) } }
      return {
        event: 'compaction.ended',
        data: { session_id, automatic: event.automatic, ...wireResult(id, event.result) },
      }
    // `turn.ended` is sent when the session is free again.
    case 'turn-ended':
      return undefined
    default:
      return unreachable(event)
  }
}

function withoutType<E extends { readonly type: string }>({ type: _, ...data }: E) {
  return toWire(data)
}
