import { randomUUID } from 'node:crypto'
import { messagesOf } from '../../src/engine.ts'
import { messageShown } from '../../src/eval/truth/needed.ts'
import { faceNamed } from '../../src/gateway/faces/read-request.ts'
import { answeringPolicy, recordInView } from '../../src/gateway/modes/answer/record-in-view.ts'
import { REWRITE_POLICY } from '../../src/gateway/modes/modes.ts'
import type { PolicyPatch } from '../../src/model/policy/policy.ts'
import { policyOf } from '../../src/model/policy/presets.ts'
import { type Message, textOf, type Usage } from '../../src/model/types.ts'
import { compactSession } from '../../src/session/compaction/compact-session.ts'
import { openSession } from '../../src/session/open-session.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { SessionId, Store } from '../../src/store/store.ts'
import { type Answer, startModelServer } from '../../test/support/model-server/index.ts'
import type { SessionSource } from '../cost/sessions.ts'
import { benchGateway } from './bench-gateway.ts'
import type { Around, ReplayClient, SentBody } from './replay-client.ts'
import { type ReplayStep, replaySteps } from './replay-steps.ts'
import { resultsFor } from './results-for.ts'

export const COMPACTIONS = 3
const MODEL = { contextWindow: 200_000 }
/** Without masks, so that every reduction is a compaction. */
const DIGESTS: PolicyPatch = { rungs: ['digest', 'squeeze'] }

/** The texts that are left of a session after its compactions: the records alone, and all that the model sees. */
export type LiveTexts = { readonly record: string; readonly view: string }

export type LiveSession = {
  readonly gateway: LiveTexts
  readonly own: LiveTexts
  /** All messages up to the last compaction, and those after it. */
  readonly before: readonly Message[]
  readonly after: readonly Message[]
}

/**
 * Replays a session through a gateway until it has been compacted three times without a model, and gives Pith's own
 * session the same messages and the same compactions. Undefined for a session that is too short for three.
 */
export async function liveSession(
  session: SessionSource,
  client: ReplayClient,
  { mode, path }: { readonly mode: 'answer' | 'rewrite'; readonly path: string },
): Promise<LiveSession | undefined> {
  let next: Answer = {}
  const provider = await startModelServer({ window: 4_000_000, brain: () => next })
  const steps = replaySteps(session.log)
  const policy = mode === 'answer' ? DIGESTS : { ...REWRITE_POLICY, ...DIGESTS, triggerMaxTokens: triggerFor(steps) }
  const gateway = await benchGateway(mode, provider.url, { model: MODEL, path, policy, summaries: 'none' })
  const own = await ownSession()
  const tools = [...new Set(steps.flatMap(({ answer }) => (answer.calls ?? []).map(({ name }) => name)))]
  const around: Around = { system: session.system || 'You are an agent.', tools: tools.length > 0 ? tools : ['bash'] }
  const before: Message[] = []
  const history: Message[] = []
  const add = (...messages: readonly Message[]) => {
    before.push(...messages)
    history.push(...messages)
  }
  const places = mode === 'answer' ? quarters(steps) : []
  let compactions = 0
  let answered = ''
  try {
    for (const [i, step] of steps.entries()) {
      if (places.includes(i)) {
        answered = textIn((await send(client.compaction(history, around))).message)
        await own.append(before)
        await own.compact({ ...answeringPolicy(policy, policyOf(policy).rungs), keepMessages: 0 }, around)
        history.splice(0, history.length, { role: 'user', content: client.resumed(answered) })
        if (++compactions === COMPACTIONS)
          return result({ record: answered, view: answered }, await own.texts(), steps.slice(i))
      }
      next = step.answer
      add(...step.asks.map((content): Message => ({ role: 'user', content })))
      const { message, usage } = await send(client.request(history, around))
      await own.append(before)
      const made = mode === 'rewrite' ? await gateway.compactions() : compactions
      if (made > compactions) {
        compactions = made
        await own.compact(policy, around)
        if (made >= COMPACTIONS)
          return result(await textsOf(gateway.store, await newest(gateway.store)), await own.texts(), steps.slice(i))
      }
      if (message === undefined) continue
      add(message)
      await own.append(before, usage)
      add(...resultsFor(message, step.results))
    }
    return undefined
  } finally {
    await gateway.stop()
    await own.close()
    await provider.close()
  }

  function result(ofGateway: LiveTexts, ofOwn: LiveTexts, rest: readonly ReplayStep[]): LiveSession {
    return { gateway: ofGateway, own: ofOwn, before: [...before], after: rest.flatMap(messagesIn) }
  }

  async function send({ path: at, headers, body }: SentBody) {
    const reply = await fetch(gateway.url + at, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return faceNamed(client.face).answerOf(await reply.text(), history.length) ?? {}
  }
}

/** A session of Pith's own agent. */
async function ownSession() {
  const store = await openStore(':memory:')
  const { id } = await store.createSession({ owner: 'local', workspace: '/bench' })
  let known = 0
  return {
    /** Appends the messages that are new since the last call. */
    append: async (messages: readonly Message[], usage?: Usage) => {
      const drafts = messages.slice(known).map((message) => ({ type: 'message' as const, message, usage }))
      known = messages.length
      if (drafts.length > 0) await store.append(id, drafts)
    },
    compact: async (policy: PolicyPatch, { system }: Around) => {
      const input = {
        holder: 'bench:2',
        policy,
        reason: 'manual',
        model: MODEL,
        fixed: { system },
        clock: Date.now,
      } as const
      await compactSession(store, id, { ...input, summaryModels: [] })
    },
    texts: () => textsOf(store, id),
    close: () => store.close(),
  }
}

async function textsOf(store: Store, id: SessionId): Promise<LiveTexts> {
  const { view } = await openSession(store, id)
  const record = view.items.slice().flatMap((item) => (item.kind === 'summary' ? [textOf(item.message)] : []))
  const whole = recordInView(view, view.lastSeq)
  return {
    record: record.join('\n'),
    view:
      whole !== undefined && record.length === view.items.slice().length
        ? whole.text
        : messagesOf(view).map(messageShown).join('\n'),
  }
}

async function newest(store: Store): Promise<SessionId> {
  const { sessions } = await store.sessions()
  return sessions[0]?.id ?? ''
}

function textIn(message: Message | undefined): string {
  return message === undefined ? '' : textOf(message)
}

/** The steps after a quarter, a half and three quarters of the session. */
function quarters(steps: readonly ReplayStep[]): number[] {
  const sizes = steps.map(sizeOf)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  return Array.from({ length: COMPACTIONS }, (_, i) => {
    let left = (total * (i + 1)) / (COMPACTIONS + 1)
    return sizes.findIndex((size) => {
      left -= size
      return left < 0
    })
  })
}

/** Early enough for three compactions in a session of this length, and never later than the policy's own trigger. */
function triggerFor(steps: readonly ReplayStep[]): number {
  const characters = steps.reduce((sum, step) => sum + sizeOf(step), 0)
  return Math.round(Math.min(80_000, Math.max(40_000, characters / 4 / (COMPACTIONS + 1))))
}

function sizeOf(step: ReplayStep): number {
  return JSON.stringify([step.asks, step.answer, step.results]).length
}

function messagesIn({ asks, answer, results }: ReplayStep): Message[] {
  const calls = (answer.calls ?? []).map(({ name, input }) => ({
    type: 'tool-call' as const,
    toolCallId: randomUUID(),
    toolName: name,
    input,
  }))
  const reply: Message = { role: 'assistant', content: [{ type: 'text', text: answer.text ?? '' }, ...calls] }
  return [...asks.map((content): Message => ({ role: 'user', content })), reply, ...resultsFor(reply, results)]
}
