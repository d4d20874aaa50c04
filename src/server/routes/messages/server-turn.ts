import type { AgentEvent, TurnEnd } from '../../../agent/events.ts'
import { interruptedResults, LOST_TRACK, openCallsOf } from '../../../agent/loop/interrupted-calls.ts'
import { runTurn } from '../../../agent/loop/run-turn.ts'
import type { AskPermission } from '../../../agent/permissions/permission-gate.ts'
import type { WireTurnEnd } from '../../../contract/shapes.ts'
import { toWire } from '../../../contract/wire.ts'
import type { EntryDraft } from '../../../model/entry.ts'
import type { Seq } from '../../../model/ids.ts'
import { callsOf, textOf, type UserMessage } from '../../../model/message.ts'
import { HttpError, type Running } from '../../http/http-error.ts'
import type { ServedSession } from '../../sessions/live-sessions.ts'
import { serverAgent } from '../../sessions/server-agent.ts'
import type { Services } from '../../sessions/services.ts'
import { EventQueue } from '../../stream/event-queue.ts'
import { holderOf, runningOf } from '../../work/holder.ts'
import type { TurnLease } from '../../work/leases.ts'
import type { QuestionNews } from '../../work/permission-questions.ts'

/** What a turn tells its reader, in order. */
export type TurnNews =
  | { readonly type: 'stored'; readonly seq?: Seq }
  | { readonly type: 'waiting'; readonly running: Running }
  | { readonly type: 'agent'; readonly event: AgentEvent }
  | QuestionNews
  | { readonly type: 'ended'; readonly end: TurnEnd; readonly seq?: Seq }

export type Turn = {
  readonly id: string
  readonly news: EventQueue<TurnNews>
  readonly done: Promise<{ readonly end: TurnEnd; readonly seq?: Seq }>
}

type Say = {
  readonly id: string
  readonly said: UserMessage | undefined
  readonly key: string | undefined
  /** Aborts when whoever can be asked has gone; absent when nobody can. */
  readonly reader?: AbortSignal | undefined
}

/**
 * Stores what the user said and lets the agent answer when nothing else is at work in the session. During a compaction
 * it is stored at once; behind another turn it is stored when that has ended, so that no call is parted from its result.
 * What was stored and answered before, under the same key, is not answered again.
 */
export async function startTurn(services: Services, served: ServedSession, say: Say): Promise<Turn> {
  const { model, missing } = await modelFor(services, served)
  if (missing !== undefined) throw new HttpError(409, 'no-model', missing)
  const news = new EventQueue<TurnNews>()
  const done = services.works.start(served.id, { kind: 'turn', id: say.id }, (signal) =>
    new ServerTurn(services, served, say, news).run(model, signal),
  )
  // Whoever waits for it is told; if nobody does, it is no unhandled rejection.
  done.catch(() => undefined).finally(() => news.end())
  return { id: say.id, news, done }
}

async function modelFor({ models }: Services, { live }: ServedSession) {
  const name = live.log.findLast((entry) => entry.type === 'settings' && entry.model !== undefined)
  const { chat, missing } = await models.of(name?.type === 'settings' ? name.model : undefined)
  return { model: chat, missing }
}

class ServerTurn {
  readonly #services: Services
  readonly #served: ServedSession
  readonly #say: Say
  readonly #news: EventQueue<TurnNews>
  readonly #holder: string
  #seq: Seq | undefined

  constructor(services: Services, served: ServedSession, say: Say, news: EventQueue<TurnNews>) {
    this.#services = services
    this.#served = served
    this.#say = say
    this.#news = news
    this.#holder = holderOf({ kind: 'turn', id: say.id })
  }

  async run(model: Awaited<ReturnType<typeof modelFor>>['model'], signal: AbortSignal) {
    const lease = await this.#lease(signal)
    if (!lease.ok) return this.#ended(aborted())
    try {
      const agent = await serverAgent(this.#services, this.#served, model)
      await agent.live.refresh()
      await this.#store('under-lease')
      await agent.live.refresh()
      const answered = this.#answered()
      if (answered !== undefined) return this.#ended(answered)
      this.#served.holder = this.#holder
      this.#served.onEvent = (event) => this.#news.push({ type: 'agent', event })
      this.#served.ask = this.#asker()
      const end = await runTurn(agent, undefined, signal)
      this.#services.metrics.add('pith_turns_total', { reason: end.reason })
      return this.#ended(end)
    } finally {
      this.#served.onEvent = () => {}
      this.#served.ask = undefined
      await lease.release()
    }
  }

  /** Who is asked; once the reader has gone, nobody. */
  #asker(): AskPermission | undefined {
    const { reader } = this.#say
    if (reader === undefined || reader.aborted) return undefined
    reader.addEventListener('abort', () => {
      this.#served.ask = undefined
    })
    return this.#services.questions.asker(this.#served.id, (news) => this.#news.push(news), reader)
  }

  /** Waits until nothing else is at work; during a compaction what was said is stored meanwhile. */
  #lease(signal: AbortSignal): Promise<TurnLease> {
    let told = ''
    const onBusy = async (holder: string) => {
      const running = runningOf(holder)
      if (running.kind === 'compaction') await this.#store('at-once')
      if (told !== holder) this.#news.push({ type: 'waiting', running })
      told = holder
    }
    return this.#services.turns.take(this.#served.id, { holder: this.#holder, onBusy }, signal)
  }

  /** Calls that an earlier run left without a result are answered first: only who has the lease knows that it is over. */
  async #store(when: 'at-once' | 'under-lease'): Promise<void> {
    const { said, key, id } = this.#say
    if (said === undefined || this.#seq !== undefined) return
    const { live } = this.#served
    const lost = when === 'at-once' ? [] : interruptedResults(openCallsOf(live.view), LOST_TRACK)
    const drafts: EntryDraft[] = [...lost, { type: 'message', message: said }]
    const appended = await this.#services.store.append(live.id, drafts, { key: key ?? id })
    if (!appended.ok) throw new Error('unreachable: an append without conditions is not refused')
    this.#seq = appended.entries.at(-1)?.seq
    this.#news.push({ type: 'stored', ...(this.#seq === undefined ? {} : { seq: this.#seq }) })
    this.#services.metrics.add('pith_messages_total')
  }

  /** The answer that the message has got already: with others that came in meanwhile, or the first time it was posted. */
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
    const result = { end, ...(this.#seq === undefined ? {} : { seq: this.#seq }) }
    this.#news.push({ type: 'ended', ...result })
    return result
  }
}

function aborted(): TurnEnd {
  return { reason: 'aborted', text: 'Interrupted', answer: '', steps: 0 }
}

/** The end of a turn as it goes over HTTP. */
export function wireEnd({ reason, text, answer, steps, usage, cost }: TurnEnd): WireTurnEnd {
  return { reason, text, answer, steps, usage: toWire(usage), cost }
}
