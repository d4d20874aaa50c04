import { setTimeout as pause } from 'node:timers/promises'
import { validate } from '../../engine/context/view/validate.ts'
import { counted } from '../../engine/report/numbers.ts'
import { typedSecretText } from '../../engine/report/secret-text.ts'
import { doubtText } from '../../engine/report/status-text.ts'
import type { ModelFailure } from '../../llm/failure/model-failure.ts'
import { handle } from '../../model/text.ts'
import {
  addUsage,
  callsOf,
  type EntryDraft,
  type Message,
  modelName,
  type SeenFile,
  type Seq,
  textOf,
  type Usage,
  type UserMessage,
} from '../../model/types.ts'
import { loadRedactor } from '../../secrets/load-redactor.ts'
import { type HeldLease, holdForTurn, isDead } from '../../session/compaction/hold-lease.ts'
import { tasksIn } from '../../session/tasks.ts'
import { costOf } from '../../tokens/cost.ts'
import type { Agent, TurnEnd } from '../agent.ts'
import { withAttachments } from '../attachments/with-attachments.ts'
import { compactIfNeeded, prepareAhead } from '../compaction/automatic-compaction.ts'
import { dropPrepared } from '../compaction/compact-now.ts'
import { OverflowRecovery } from '../compaction/overflow-recovery.ts'
import { switchModel } from '../compaction/switch-model.ts'
import { abortCause, abortText, interruptedResults, LOST_TRACK, lostTask, openCallsOf } from '../interruption.ts'
import { modelCallOf, suspectedImages } from '../request/model-call.ts'
import { jobNews } from './job-news.ts'
import { withModeNote } from './mode-note.ts'
import { planRequest } from './plan-mode.ts'
import { cutAgain, cutCall, MOST_CUT_CALLS, runCalls } from './run-calls.ts'
import { continuedAnswer, type Finish, isEmptyAnswer, storeVoid, streamAnswer } from './stream-answer.ts'

/**
 * Runs one turn: stores the user's message, and lets the model answer and call tools until it is done. Without a message, it
 * continues where the session stopped. `files`: the files that are attached to the message. However it ends, the log is valid
 * and complete.
 */
export async function runTurn(
  agent: Agent,
  said: UserMessage | undefined,
  signal: AbortSignal,
  files: readonly SeenFile[] = [],
): Promise<TurnEnd> {
  agent.emit({ type: 'turn-started' })
  // A compaction of this turn would need the redactor. It loads while we wait for the model.
  void loadRedactor()
  const lease = await takeTurn(agent, signal)
  try {
    const end = lease === undefined ? notBegun(signal) : await new Turn(agent).run(said, signal, files)
    if (signal.aborted) await dropPrepared(agent, `the run was interrupted ${abortCause(signal)}`)
    agent.emit({ type: 'turn-ended', end })
    return end
  } finally {
    await lease?.release()
  }
}

function notBegun(signal: AbortSignal): TurnEnd {
  const text = `${abortText(signal)} while another process was working in the session: your message was not sent`
  return { reason: 'aborted', text, answer: '', steps: 0 }
}

class Turn {
  readonly #agent: Agent
  readonly #from: number
  /** The provider's counts of the answers. They are kept here because a compaction removes them from the log in memory. */
  readonly #answers: Usage[] = []
  #steps = 0
  /** How many answers in a row were cut inside a call. */
  #cutCalls = 0
  #answer = ''

  constructor(agent: Agent) {
    this.#agent = agent
    this.#from = agent.live.session.lastSeq
  }

  async run(said: UserMessage | undefined, signal: AbortSignal, files: readonly SeenFile[]): Promise<TurnEnd> {
    const agent = this.#agent
    await this.#begin(said, files)
    if (!this.#hasSomethingToAnswer()) return this.#end('done', 'Nothing to continue: say what to do next')
    while (this.#steps < agent.deps.stepLimit) {
      if (signal.aborted) return this.#end('aborted', abortText(signal))
      await agent.live.refresh()
      for (const said of agent.steering.splice(0)) await this.#steer(said)
      agent.deps.fixed.refresh(agent.live.session.lastSeq)
      for (const text of agent.deps.fixed.newRefusals()) agent.emit({ type: 'notice', text })
      const may = await compactIfNeeded(agent, signal)
      if (signal.aborted) return this.#end('aborted', abortText(signal))
      if (!may.ok) return this.#end('context-limit', may.text)
      await this.#reportJobs()
      await prepareAhead(agent)
      const stop = await this.#step(signal)
      // Messages that arrived in the meantime are answered in this turn.
      if (stop !== undefined && (stop.reason !== 'done' || agent.steering.length === 0)) return stop
    }
    const { stepLimit } = agent.deps
    return this.#end(
      'step-limit',
      `Stopped after ${counted(stepLimit, 'step')}: ask it to continue, or raise step_limit`,
    )
  }

  /** Adds results for calls that an earlier run left without one (they are not run again), then stores the user's message. */
  async #begin(said: UserMessage | undefined, files: readonly SeenFile[]): Promise<void> {
    await this.#agent.live.refresh()
    await storeLostResults(this.#agent)
    if (said === undefined) return
    await this.#reportJobs()
    const noted = withModeNote(this.#agent, said)
    const message = this.#agent.isPlanning ? planRequest(noted) : noted
    await this.#agent.append([{ type: 'message', message, ...(files.length === 0 ? {} : { files: [...files] }) }])
    await warnOfSecrets(this.#agent, said)
  }

  /** Stores what happened to commands in the background, as data of the program. */
  async #reportJobs(): Promise<void> {
    const { reports, drafts } = jobNews(this.#agent)
    await this.#agent.append(drafts)
    for (const { stored } of reports) stored()
  }

  /** Stores a message that the user sent during the turn, with the files that it names. */
  async #steer(said: string | UserMessage): Promise<void> {
    const { deps, info } = this.#agent
    if (typeof said !== 'string') {
      await this.#agent.append([{ type: 'message', message: withModeNote(this.#agent, said) }])
      return
    }
    const { message, files, notes } = await withAttachments(said, { ...deps, info })
    for (const note of notes) this.#agent.emit({ type: 'notice', text: note })
    const noted = withModeNote(this.#agent, message)
    await this.#agent.append([
      { type: 'message', message: noted, ...(files.length === 0 ? {} : { files: [...files] }) },
    ])
  }

  #hasSomethingToAnswer(): boolean {
    const { items } = this.#agent.live.view
    const last = items.at(items.length - 1)
    return last !== undefined && last.message.role !== 'assistant'
  }

  /** Gets one answer and runs its calls. Returns the end of the turn if this was the last step. */
  async #step(signal: AbortSignal): Promise<TurnEnd | undefined> {
    const agent = this.#agent
    agent.emit({ type: 'step-started', step: ++this.#steps })
    const answer = await askModel(agent, signal)
    if (!answer.ok) {
      // The part of the answer that arrived before the failure is stored.
      if ((answer.reason === 'aborted' || answer.reason === 'failed') && answer.said.trim() !== '') {
        await this.#agent.append([{ type: 'message', message: { role: 'assistant', content: answer.said } }])
      }
      return this.#end(answer.reason, answer.text)
    }
    const { message, usage, reason } = await continuedAnswer(agent, answer.finish, signal)
    if (usage !== undefined) this.#answers.push(usage)
    this.#answer = textOf(message)
    await this.#agent.append([{ type: 'message', message, model: agent.model.name, usage }])
    this.#emitStatus()
    const calls = callsOf(message).filter((call) => !call.providerExecuted)
    if (reason === 'content-filter') {
      // A call that the provider cut off may be incomplete.
      await this.#agent.append(interruptedResults(openCallsOf(agent.live.view), BROKEN_OFF))
      return this.#end('refused', 'The provider refuses to answer this any further')
    }
    if (calls.length === 0 && signal.aborted) return this.#end('aborted', abortText(signal))
    if (calls.length === 0) return this.#end('done', reason === 'length' ? CUT_ANSWER : '')
    const cut = reason === 'length' ? cutCall(message) : undefined
    this.#cutCalls = cut === undefined ? 0 : this.#cutCalls + 1
    await runCalls(agent, calls, signal, cut && { call: cut, outputTokens: usage?.outputTokens })
    agent.emit({ type: 'status', status: agent.status() })
    return this.#cutCalls < MOST_CUT_CALLS ? undefined : this.#end('failed', cutAgain(cut, usage?.outputTokens))
  }

  /** Emits the status. A notice is sent for the first report that cannot be right, and again after a right one. */
  #emitStatus(): void {
    const agent = this.#agent
    const status = agent.status()
    const doubt = doubtText(status)
    if (doubt !== undefined && !agent.isDoubting) agent.emit({ type: 'notice', text: doubt })
    agent.isDoubting = doubt !== undefined
    agent.emit({ type: 'status', status })
  }

  #end(reason: TurnEnd['reason'], text: string): TurnEnd {
    const cost = this.#cost()
    return {
      reason,
      text,
      answer: this.#answer,
      steps: this.#steps,
      usage: [...this.#answers, ...this.#besides().map(({ usage }) => usage)].reduce(addUsage, undefined),
      cost,
    }
  }

  /** The other entries of this turn that a provider was paid for: void answers and compactions. */
  #besides() {
    return this.#agent.live.log.flatMap((entry) =>
      entry.seq > this.#from && (entry.type === 'void' || entry.type === 'compaction' || entry.type === 'attempt')
        ? [entry]
        : [],
    )
  }

  /** The cost in US dollars, call by call: the price of a token may depend on the length of its prompt. */
  #cost(): number | undefined {
    const { prices } = this.#agent.model.info
    if (prices === undefined) return undefined
    const answers = this.#answers.map((usage) => costOf(usage, prices))
    const others = this.#besides().map((entry) =>
      entry.type === 'void' ? costOf(entry.usage, prices) : (entry.cost ?? 0),
    )
    return [...answers, ...others].reduce((sum, cost) => sum + cost, 0)
  }
}

/**
 * Stores results for the calls that an earlier run left without one. It must come before any message that is added while no turn
 * runs: a provider refuses a call whose result comes after another message.
 */
export async function storeLostResults(agent: Agent): Promise<void> {
  await agent.append(await lostResults(agent.live))
}

/** Results for the calls that an earlier run left without one. That of a sub-agent names its log. */
async function lostResults({ store, view, log }: Agent['live']): Promise<EntryDraft[]> {
  const calls = openCallsOf(view)
  const texts = new Map<string, string>()
  for (const task of calls.length === 0 ? [] : tasksIn(log)) {
    if (!calls.some(({ toolCallId }) => toolCallId === task.call)) continue
    const upTo = (await store.session(task.session))?.lastSeq ?? 0
    if (upTo > 0) texts.set(task.call, lostTask(task, upTo))
  }
  return interruptedResults(calls, ({ toolCallId }) => texts.get(toolCallId) ?? LOST_TRACK)
}

const BROKEN_OFF = 'The provider broke the answer off: this call was not run.'
const CUT_ANSWER = 'The answer was cut at the output limit: ask it to continue'

/** The user's input as a message. */
export function userMessage(text: string): UserMessage & Message {
  return { role: 'user', content: text }
}

/** Warns the user that a message of theirs has a secret, once in a session. */
async function warnOfSecrets(agent: Agent, message: UserMessage): Promise<void> {
  const text = textOf(message)
  // No secret is shorter, so most messages do not need the rules.
  if (agent.hasWarnedOfSecret || !/\S{12}/.test(text)) return
  const { findSecrets } = await import('../../secrets/find-secrets.ts')
  const kinds = findSecrets(text).map(({ kind }) => kind)
  if (kinds.length === 0) return
  agent.hasWarnedOfSecret = true
  agent.emit({ type: 'notice', text: typedSecretText(kinds, handle(agent.live.session.lastSeq)) })
}

/** How long the lease of a process that died blocks processes on other machines. */
const LEASE_MS = 30_000
const POLL_MS = 200

/**
 * Takes the lease of the session for a turn, so that no other process answers the calls that run in it. While another process
 * has it, this one waits and sends a notice. Undefined if the user aborts the wait.
 */
export async function takeTurn(
  agent: Agent,
  signal: AbortSignal,
): Promise<Extract<HeldLease, { ok: true }> | undefined> {
  let noticed = ''
  for (;;) {
    const lease = await takeOver(agent, agent.deps.holder)
    if (lease.ok) return lease
    if (signal.aborted) return undefined
    if (noticed !== lease.holder) {
      agent.emit({ type: 'notice', text: `Waiting: ${lease.holder} is working in this session` })
      noticed = lease.holder
    }
    await pause(POLL_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** If the holder was a process on this machine that died, its lease is taken over in its name. */
async function takeOver({ live }: Agent, holder: string): Promise<HeldLease> {
  const lease = await holdForTurn(live.store, live.id, holder, LEASE_MS)
  return lease.ok || !isDead(lease.holder) ? lease : holdForTurn(live.store, live.id, lease.holder, LEASE_MS)
}

/** The model's answer, or the end of the turn without one. `said` is the text of the answer until then. */
type ModelAnswer =
  | { readonly ok: true; readonly finish: Finish }
  | { readonly ok: false; readonly reason: TurnEnd['reason']; readonly text: string; readonly said: string }

/** Asks for the next answer, and recovers from broken streams and overflows. The usage of void answers is stored. */
async function askModel(agent: Agent, signal: AbortSignal): Promise<ModelAnswer> {
  let retries = agent.model.retries()
  const overflow = new OverflowRecovery(agent)
  let refusal: { readonly failure: ModelFailure; readonly images: ReadonlySet<Seq> } | undefined
  for (;;) {
    const call = { ...modelCallOf(agent, refusal?.images), signal, retries }
    const [problem] = validate(call.messages)
    if (problem !== undefined) return ended('failed', `The history is not valid for a provider: ${problem.text}`, '')
    const { outcome, said, begun } = await streamAnswer(agent, call)
    if (outcome.type === 'finish') {
      agent.lastCall = { at: agent.deps.clock(), sentMessages: call.messages.length }
      if (!isEmptyAnswer(outcome)) {
        if (refusal !== undefined) await leaveImagesOut(agent, refusal.failure, refusal.images)
        return { ok: true, finish: outcome }
      }
    }
    const failure = outcome.type === 'finish' ? emptyAnswerFailure(outcome) : outcome.failure
    await storeVoid(agent, failure.text, outcome.usage)
    if (signal.aborted || failure.kind === 'aborted') return ended('aborted', abortText(signal), said)
    if (failure === REFUSED) return ended('refused', failure.text, said)
    if (failure.kind === 'overflow') {
      const recovered = await overflow.recover(failure, signal)
      if (signal.aborted) return ended('aborted', abortText(signal), said)
      if (!recovered.ok) return ended('context-limit', recovered.text, said)
      continue
    }
    if (mayBeAboutImages(failure)) {
      const images = suspectedImages(agent, refusal?.images)
      if (images !== undefined) {
        refusal = { failure: refusal?.failure ?? failure, images }
        continue
      }
      // It refuses the request without images, too: they were not the reason.
      if (refusal !== undefined) return ended('failed', refusal.failure.text, said)
    }
    // If no part of an answer arrived, the call was already tried again inside `stream`.
    const again = begun || outcome.type === 'finish'
    const inMs = again && BROKEN.has(failure.kind) ? retries.next(failure.retryAfterMs) : undefined
    const text = outcome.type === 'finish' ? 'The model gave an empty answer' : failure.text
    if (inMs === undefined) {
      if (!(await takeFallback(agent, failure, signal))) return ended('failed', text, said)
      retries = agent.model.retries()
      continue
    }
    agent.emit({ type: 'answer-void', failure })
    agent.emit({ type: 'retry', attempt: retries.attempt, inMs, failure })
    await retries.wait(inMs, signal)
    if (signal.aborted) return ended('aborted', abortText(signal), said)
  }
}

/** Some local servers answer with status 500 that a model takes no images. */
function mayBeAboutImages({ kind, text }: ModelFailure): boolean {
  return kind === 'bad-request' || (kind === 'server' && /\bimages?\b|\bvision\b|multi-?modal/i.test(text))
}

/** Keeps images that the model refused out of its later requests: each of them would be refused for the same reason. */
async function leaveImagesOut(agent: Agent, failure: ModelFailure, images: ReadonlySet<Seq>): Promise<void> {
  const model = modelName(agent.info)
  const handles = [...images].map(handle).join(', ')
  await agent.live.append([{ type: 'settings', refused: { model, images: [...images] } }])
  const text = `${failure.text}. ${model} gets no images of ${handles} from now on: it only learns that they exist`
  agent.emit({ type: 'notice', text })
}

/** Failures that may disappear on the next try. */
const BROKEN: ReadonlySet<ModelFailure['kind']> = new Set(['network', 'server', 'rate-limit', 'malformed', 'silence'])

/** Lets the fallback model take over when this one cannot be reached; false if there is none. */
async function takeFallback(agent: Agent, failure: ModelFailure, signal: AbortSignal): Promise<boolean> {
  if (!BROKEN.has(failure.kind) || signal.aborted) return false
  const { name } = agent.model
  const other = agent.deps.fallback?.()
  if (other === undefined || other.name === name) return false
  agent.emit({ type: 'notice', text: `${failure.text}. From now on ${other.name} answers instead of ${name}` })
  return (await switchModel(agent, other, signal)).ok
}

const REFUSED: ModelFailure = { kind: 'bad-request', text: 'The provider refuses to answer this' }

/** The failure of an answer without content. */
function emptyAnswerFailure({ reason }: Finish): ModelFailure {
  return reason === 'content-filter' ? REFUSED : { kind: 'malformed', text: 'the answer was empty' }
}

function ended(reason: TurnEnd['reason'], text: string, said: string): ModelAnswer {
  return { ok: false, reason, text, said }
}
