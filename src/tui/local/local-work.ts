import type { Agent, AgentEvent, CompactNowResult, TurnEnd } from '../../agent/agent.ts'
import { blindNote } from '../../agent/attachments/with-attachments.ts'
import { compactAfterTurn } from '../../agent/compaction/automatic-compaction.ts'
import { compactNow } from '../../agent/compaction/compact-now.ts'
import { messageFor } from '../../agent/loop/own-command.ts'
import { runTurn, storeLostResults } from '../../agent/loop/run-turn.ts'
import { rawWithoutKeys, withoutKeys } from '../../agent/scrubbed-env.ts'
import { shownPart } from '../../agent/shown-part.ts'
import { NO_LOG } from '../../agent/tool.ts'
import { bash } from '../../agent/tools/bash/bash.ts'
import { changesView } from '../../engine/context/view/activity.ts'
import type { Outcome } from '../../engine/report/outcome.ts'
import { isNoModel } from '../../llm/open-model.ts'
import { unreachable } from '../../model/problems/errors.ts'
import { partsOf, type UserMessage, type UserPart } from '../../model/types.ts'
import type { ChangeResult, PortEvent, WorkCalls } from '../port/port.ts'
import { DONE, firstErrorLine, refusal } from '../port/shared.ts'
import type { LocalSessions } from './local-sessions.ts'

export type WorkDeps = {
  readonly emit: (event: PortEvent) => void
  /** Gives the agent its tools before it works. */
  readonly equip: (signal: AbortSignal) => Promise<void>
}

/** Runs turns and compactions, one at a time. They can be interrupted. Their results are sent as events. */
export class LocalWork implements WorkCalls {
  readonly #sessions: LocalSessions
  readonly #deps: WorkDeps
  #working: { readonly stop: AbortController; readonly done: Promise<void> } | undefined

  #inTurn = false
  /** The end of the log before the message that is about to be stored. */
  #before: number | undefined

  constructor(sessions: LocalSessions, deps: WorkDeps) {
    this.#sessions = sessions
    this.#deps = deps
  }

  say(text: string, attached: readonly UserPart[] = []): Promise<void> {
    return this.#work(async (signal) => {
      try {
        this.#before = this.#sessions.current.agent.live.session.lastSeq
        await this.#sessions.nameAfter(text)
        await this.#sessions.noteMode()
        this.#inTurn = true
        const end = await this.#turn(text, attached, signal)
        if (end.reason === 'done') await compactAfterTurn(this.#sessions.current.agent, signal)
        await this.#sessions.learnWindow()
      } catch (error) {
        this.#deps.emit({ type: 'turn-ended', reason: 'failed', text: firstErrorLine(error) })
      }
    })
  }

  async #turn(text: string, attached: readonly UserPart[], signal: AbortSignal): Promise<TurnEnd> {
    const { agent } = this.#sessions.current
    try {
      // The text of a command may run commands first.
      if (text.startsWith('/')) this.#deps.emit({ type: 'turn-started' })
      const { message, files, notes } = await messageFor(agent, text, signal)
      const blind = blindNote(attached, agent.info)
      for (const note of blind === undefined ? notes : [...notes, blind])
        this.#deps.emit({ type: 'notice', text: note })
      return await runTurn(agent, withParts(message, attached), signal, files)
    } finally {
      // The screen sends the messages that the turn did not take.
      this.#inTurn = false
      agent.steering.length = 0
    }
  }

  async steer(text: string): Promise<ChangeResult> {
    if (!this.#inTurn) return refusal('')
    this.#sessions.current.agent.steering.push(text)
    return DONE
  }

  /** Runs a command that the user typed. It needs no permission. One that ran in the user's terminal is only noted. */
  shell(command: string, exit?: number): Promise<void> {
    const { emit } = this.#deps
    return this.#work(async (signal) => {
      const { agent } = this.#sessions.current
      emit({ type: 'shell-started', command })
      try {
        const text =
          exit === undefined ? await runUserCommand(agent, command, signal) : inTerminalText(agent, command, exit)
        await addUserCommand(agent, text)
        emit({ type: 'turn-ended', reason: 'done', text: '' })
      } catch (error) {
        emit({ type: 'turn-ended', reason: 'failed', text: firstErrorLine(error) })
      }
      emit(this.#sessions.status())
    })
  }

  compact(focus: string | undefined): Promise<void> {
    return this.#work(async (signal) => {
      const { agent } = this.#sessions.current
      if (isNoModel(agent.model) && !agent.policy.rungs.includes('digest')) return this.#ended({ outcome: 'no-model' })
      try {
        await compactNow(agent, { reason: 'manual', signal, focus })
      } catch (error) {
        this.#ended(signal.aborted ? { outcome: 'cancelled' } : { outcome: 'failed', reason: firstErrorLine(error) })
      }
    })
  }

  async interrupt(): Promise<void> {
    this.#working?.stop.abort()
    // A message that waits for the lock of another program is not stored yet, so nothing is lost.
    if (this.#working !== undefined && !this.#isStored) this.#sessions.current.agent.live.store.stopWaiting?.()
  }

  get #isStored(): boolean {
    const { live } = this.#sessions.current.agent
    return (
      this.#before === undefined || live.log.some(({ type, seq }) => type === 'message' && seq > (this.#before ?? 0))
    )
  }

  /** Interrupts the running work and waits until the log has all of it. */
  async stop(): Promise<void> {
    void this.interrupt()
    await this.#working?.done
  }

  forward(event: AgentEvent): void {
    const { emit } = this.#deps
    for (const each of portEvents(event)) emit(each)
    // Even a failed turn has added its message to the context.
    if (event.type === 'status' || event.type === 'turn-ended') emit(this.#sessions.status())
  }

  async #work(doing: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#working !== undefined) {
      return this.#deps.emit({ type: 'notice', text: 'The agent is still at work', tone: 'error' })
    }
    const stop = new AbortController()
    const done = this.#deps.equip(stop.signal).then(() => doing(stop.signal))
    const mine = { stop, done }
    this.#working = mine
    try {
      await done
    } finally {
      if (this.#working === mine) this.#working = undefined
    }
  }

  #ended(result: Outcome): void {
    this.#deps.emit({ type: 'compaction-ended', automatic: false, result })
  }
}

function withParts(message: UserMessage, attached: readonly UserPart[]): UserMessage {
  return attached.length === 0 ? message : { ...message, content: [...(partsOf(message) as UserPart[]), ...attached] }
}

/** The events of the port for an event of the agent, without views and other large data. */
export function portEvents(event: AgentEvent): readonly PortEvent[] {
  switch (event.type) {
    case 'turn-started':
    case 'text':
    case 'reasoning':
    case 'entry':
    case 'compaction':
    case 'tool-input':
    case 'tool-output':
    case 'notice':
      return [event]
    case 'step-started':
    case 'status':
    case 'tool-finished':
      return []
    case 'retry':
      return [{ type: 'retry', attempt: event.attempt, inMs: event.inMs, reason: event.failure.text }]
    case 'answer-void':
      return [{ type: 'answer-void', reason: event.failure.text }]
    case 'tool-started': {
      const diff = event.request?.kind === 'edit' ? event.request.diff : undefined
      return diff === undefined ? [] : [{ type: 'tool-started', toolCallId: event.toolCallId, text: diff }]
    }
    case 'compaction-ended':
      return ended(event.automatic, event.result)
    case 'turn-ended':
      return [{ type: 'turn-ended', reason: event.end.reason, text: event.end.text }]
    default:
      return unreachable(event)
  }
}

/** The entries come first, because the screen shows them as the result of a successful compaction. */
function ended(automatic: boolean, result: CompactNowResult): PortEvent[] {
  const shown = result.entries.filter(changesView)
  return [
    ...shown.map((entry): PortEvent => ({ type: 'entry', entry })),
    { type: 'compaction-ended', automatic, result: outcomeOf(result) },
  ]
}

function outcomeOf(result: CompactNowResult): Outcome {
  if (result.outcome === 'skipped') return { outcome: 'skipped', reason: result.reason, skip: result.skip }
  if (!result.compacted) return { outcome: result.outcome, reason: result.reason }
  const { outcome, rung, messagesRemoved, tokensBefore, tokensAfter } = result
  return { outcome, rung, messagesRemoved, tokensBefore, tokensAfter }
}

/** The longest that a command of the user may run. */
const MOST_SECONDS = 600

/** Runs a command that the user typed, and returns it with its output. It needs no permission and no sandbox: it is the user's own. */
export async function runUserCommand(
  { deps, live }: Pick<Agent, 'deps' | 'live'>,
  command: string,
  signal: AbortSignal,
): Promise<UserCommand> {
  const permit = async () => ({ ok: true }) as const
  const jobs = deps.jobs && { table: deps.jobs, owner: live.session }
  const context = { ...NO_LOG, ...deps, jobs, permit, sandbox: undefined, byUser: true, signal }
  const { text, raw } = await bash.run({ command, timeoutSeconds: MOST_SECONDS }, context)
  const keys = deps.keys ?? []
  return { text: withoutKeys(`$ ${command}\n${text}`, keys), raw: rawWithoutKeys(raw, keys) }
}

/** A command of the user with its output, and the output as it came if a terminal shows less. */
type UserCommand = { readonly text: string; readonly raw?: string }

function inTerminalText({ deps }: Agent, command: string, exit: number): UserCommand {
  const text = `$ ${command}\n(ran in the user's own terminal; its output is not in this conversation)\n[exit code: ${exit}]`
  return { text: withoutKeys(text, deps.keys ?? []) }
}

/** Adds the output of the user's command to the conversation. The model reads it with the next message. It does not count as the user's words. */
export async function addUserCommand(agent: Agent, { text, raw }: UserCommand): Promise<void> {
  const shown = shownPart(text, agent.info.contextWindow, raw)
  const message = { role: 'user' as const, content: text }
  await storeLostResults(agent)
  await agent.append([{ type: 'message', message, shown, raw, userWords: [] }])
}
