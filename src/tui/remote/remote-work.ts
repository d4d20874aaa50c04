import { cancelCompactionRoute, compactSessionRoute } from '../../contract/routes/compact-routes.ts'
import {
  answerTurnRoute,
  cancelTurnRoute,
  postTurnRoute,
  steerTurnRoute,
} from '../../contract/routes/message-routes.ts'
import { changeSessionRoute } from '../../contract/routes/session-routes.ts'
import { stepFromWire } from '../../contract/shapes/wire.ts'
import type { EventData, WireEvent } from '../../contract/shapes/wire-events.ts'
import type { Outcome } from '../../engine/report/outcome.ts'
import { isGreeting, titleFrom } from '../../session/session-title.ts'
import type { Answer, ChangeResult, PortEvent, WorkCalls } from '../port/port.ts'
import { DONE, firstErrorLine, refusal } from '../port/shared.ts'
import { RefusalError, type RemoteClient } from './remote-client.ts'
import { knownEntries, type RemoteSession } from './remote-session.ts'

/** Runs turns and compactions on a server, one at a time. Their results are sent as events. */
export class RemoteWork implements WorkCalls {
  readonly #client: RemoteClient
  readonly #session: () => RemoteSession
  readonly #emit: (event: PortEvent) => void
  #working: { readonly kind: 'turn' | 'compact'; readonly done: Promise<void> } | undefined

  /** The running turn. A message for it must not reach a later turn. */
  #turn: string | undefined

  constructor(client: RemoteClient, session: () => RemoteSession, emit: (event: PortEvent) => void) {
    this.#client = client
    this.#session = session
    this.#emit = emit
  }

  say(text: string): Promise<void> {
    return this.#work('turn', async (session) => {
      let ended = false
      try {
        if (/(?<=^|[\s(])@["\w./~]/.test(text))
          this.#emit({
            type: 'notice',
            text: 'Nothing is attached: with --server, the names of files are sent as text',
          })
        await this.#nameAfter(session, text)
        const body = { text, asks: true }
        for await (const event of this.#client.events(postTurnRoute, { params: session.params, body })) {
          await this.#handle(session, event)
          ended ||= event.event === 'turn.ended'
        }
        if (!ended) await this.#lost(session, 'The server went away: send your message again')
      } catch (error) {
        await this.#lost(session, firstErrorLine(error))
      }
    })
  }

  /** Adds a message to the running turn. If the server refuses it, or the turn does not take it, the screen sends it after the turn. */
  async steer(text: string): Promise<ChangeResult> {
    if (this.#working?.kind !== 'turn') return refusal('')
    try {
      const body = { text, turn: this.#turn }
      const { steered } = await this.#client.ask(steerTurnRoute, { params: this.#session().params, body })
      return steered ? DONE : refusal('')
    } catch (error) {
      // Without an answer we do not know whether it arrived. The end of the turn will show that.
      return error instanceof RefusalError ? refusal(firstErrorLine(error)) : DONE
    }
  }

  compact(focus: string | undefined): Promise<void> {
    return this.#work('compact', async (session) => {
      const { no_model } = await session.detail()
      const { policy } = await session.context()
      if (no_model !== undefined && !policy.rungs.includes('digest')) return this.#ended({ outcome: 'no-model' })
      const body = { focus: focus?.trim() || undefined }
      try {
        for await (const event of this.#client.events(compactSessionRoute, { params: session.params, body })) {
          // The entry shows the result: emit it before the end.
          if (event.event === 'compaction.ended') await session.catchUp()
          await this.#handle(session, event)
        }
      } catch (error) {
        this.#ended({ outcome: 'failed', reason: firstErrorLine(error) })
      }
    })
  }

  /** Answers a permission question. Permanent rules are set on the server: an answer counts once, or in this session. */
  async answer(question: string, answer: Answer): Promise<void> {
    const text = answer.kind === 'tell' ? answer.text : undefined
    const inSession = answer.kind === 'session'
    const body = {
      question,
      allow: inSession || answer.kind === 'once',
      ...(inSession ? { in_session: true } : {}),
      text,
    }
    await this.#client.ask(answerTurnRoute, { params: this.#session().params, body })
  }

  /** Cancels the running turn or compaction. */
  async interrupt(): Promise<void> {
    const kind = this.#working?.kind
    const { params } = this.#session()
    if (kind === 'turn') await this.#client.ask(cancelTurnRoute, { params })
    if (kind === 'compact') await this.#client.ask(cancelCompactionRoute, { params })
  }

  async stop(): Promise<void> {
    await this.interrupt().catch(() => undefined)
    await this.#working?.done
  }

  /** Ends a turn whose events stopped. The log shows its entries so far. */
  async #lost(session: RemoteSession, text: string): Promise<void> {
    await session.catchUp().catch(() => undefined)
    this.#emit({ type: 'turn-ended', reason: 'lost', text })
  }

  async #handle(session: RemoteSession, event: WireEvent): Promise<void> {
    if (event.event === 'turn.started') this.#turn = event.data.id
    if (event.event === 'entry') for (const entry of knownEntries([event.data.entry])) await session.emitOwn(entry)
    if (event.event === 'turn.stored' || event.event === 'compaction.ended') await session.catchUp()
    // The cost is known when the turn has ended.
    if (event.event === 'turn.ended') await session.refreshStatus()
    if (event.event === 'status') {
      const { policy } = await session.context()
      session.emitStatus(event.data.status, policy.suggest_percent)
    }
    for (const portEvent of remotePortEvents(event)) this.#emit(portEvent)
  }

  async #nameAfter(session: RemoteSession, text: string): Promise<void> {
    if (session.title !== undefined || isGreeting(text)) return
    const title = titleFrom(text)
    await this.#client.ask(changeSessionRoute, { params: session.params, body: { title } })
    await session.catchUp()
  }

  async #work(kind: 'turn' | 'compact', doing: (session: RemoteSession) => Promise<void>): Promise<void> {
    if (this.#working !== undefined) {
      return this.#emit({ type: 'notice', text: 'The agent is still at work', tone: 'error' })
    }
    const session = this.#session()
    const done = session.working(() => doing(session))
    const mine = { kind, done }
    this.#working = mine
    try {
      await done
    } finally {
      if (this.#working === mine) this.#working = undefined
    }
  }

  #ended(result: Outcome): void {
    this.#emit({ type: 'compaction-ended', automatic: false, result })
  }
}

/** An event of a turn or of a compaction as events of the port; entries and the status are handled elsewhere. */
export function remotePortEvents(wireEvent: WireEvent): PortEvent[] {
  const { event, data } = wireEvent
  switch (event) {
    case 'turn.started':
      return [{ type: 'turn-started' }]
    case 'text':
    case 'reasoning':
    case 'notice':
      return [{ type: event, text: data.text }]
    case 'turn.waiting':
      return [{ type: 'notice', text: 'Waiting: a turn or a compaction is running in this session.' }]
    case 'tool.input':
      return [{ type: 'tool-input', toolName: data.tool_name }]
    case 'tool.output':
      return [{ type: 'tool-output', toolCallId: data.tool_call_id, text: data.text }]
    case 'tool.started':
      return data.request?.diff === undefined
        ? []
        : [{ type: 'tool-started', toolCallId: data.tool_call_id, text: data.request.diff }]
    case 'question': {
      const { id, action, target, outside, note, diff, task: by } = data
      const session = action === 'edit' && !outside ? 'edits' : 'request'
      return [
        { type: 'question', question: { kind: 'permission', id, by, action, target, outside, note, diff, session } },
      ]
    }
    case 'question.closed':
      return [{ type: 'question-closed', id: data.id }]
    case 'retry':
      return [{ type: 'retry', attempt: data.attempt, inMs: data.in_ms, reason: data.reason }]
    case 'answer.void':
      return data.task === undefined ? [{ type: 'answer-void', reason: data.reason }] : []
    case 'compaction.started':
    case 'compaction.progress': {
      const step = stepFromWire(wireEvent)
      return step === undefined ? [] : [{ type: 'compaction', automatic: data.automatic ?? false, event: step }]
    }
    case 'compaction.ended':
      return [{ type: 'compaction-ended', automatic: data.automatic, result: resultOf(data) }]
    case 'compaction.failed':
    case 'compaction.skipped':
      return [{ type: 'compaction-ended', automatic: false, result: refusalOf(data) }]
    case 'turn.ended':
      return [{ type: 'turn-ended', reason: data.end.reason, text: data.end.text }]
    default:
      return []
  }
}

function resultOf(data: EventData<'compaction.ended'>): Outcome {
  const { outcome, reason, skip } = data
  if (outcome !== 'compacted') return { outcome, reason, skip }
  const { rung, messages_removed: messagesRemoved, tokens_before: tokensBefore, tokens_after: tokensAfter } = data
  return { outcome, rung, messagesRemoved, tokensBefore, tokensAfter }
}

/** The outcome of a compaction that the server answered with an error. */
function refusalOf({ code, reason }: EventData<'compaction.failed'>): Outcome {
  if (code === 'busy') return { outcome: 'busy', reason }
  return { outcome: code === 'refused-by-hook' ? 'refused' : 'failed', reason }
}
