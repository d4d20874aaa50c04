import { callTarget } from '../../engine/report/item-names.ts'
import { short } from '../../engine/report/numbers.ts'
import { messageOf } from '../../model/problems/errors.ts'
import { oneLine } from '../../model/text.ts'
import type { Entry, EntryOf, SeenFile, Seq } from '../../model/types.ts'
import { LiveSession } from '../../session/live-session.ts'
import { createTaskSession, type Task, tasksIn } from '../../session/tasks.ts'
import { REPORT_TOKENS, reportOfLog } from '../../study/recall/report-of.ts'
import {
  Agent,
  type AgentDeps,
  type AgentEvent,
  type CheckpointDraft,
  type FileKeeper,
  type TurnEnd,
  toolSchemas,
} from '../agent.ts'
import { dropPrepared } from '../compaction/compact-now.ts'
import { AbortReason, abortCause, notRun } from '../interruption.ts'
import { runTurn } from '../loop/run-turn.ts'
import { refused, type TaskWish, type Tool, type ToolOutput } from '../tool.ts'
import { Slots } from './slots.ts'
import { afterCall, NOTHING_USED, overLimit, paidUsage, stepsText, type TaskLimits } from './task-budget.ts'
import { TASK_PROMPT } from './task-prompt.ts'

/** How many sub-agents work at the same time; more wait. */
const MOST_AT_ONCE = 4

/** Runs the sub-agents of one agent. */
export function taskRunner(limits: TaskLimits): NonNullable<AgentDeps['runTask']> {
  const running = new Slots(MOST_AT_ONCE)
  const starting = new Slots(1)
  const writing = new Slots(1)
  const alone: AgentDeps['alone'] = (work, signal) => writing.run(work, signal)
  return async (parent, { toolCallId, ...wish }, signal) => {
    const output = await running.run(async () => {
      // The number of a sub-agent is counted in the log, so one is entered after the other.
      const task = await starting.run(() => enterTask(parent, wish, toolCallId), signal)
      return task && (await new RunningTask(parent, task, { limits, alone }).run(wish, signal))
    }, signal)
    return output ?? refused(notRun(signal))
  }
}

/** Makes the session of a sub-agent, and enters it in the log of the agent that started it. */
async function enterTask(parent: Agent, { description }: TaskWish, call: string): Promise<Task> {
  const { live } = parent
  const name = `task-${tasksIn(live.log).length + 1}`
  const title = `${name}: ${oneLine(description, 80)}`
  const { id: session } = await createTaskSession(live.store, live.session, { title })
  const task = { name, session, call }
  await parent.append([{ type: 'settings', task }])
  return task
}

type TaskDeps = { readonly limits: TaskLimits; readonly alone: AgentDeps['alone'] }

/** A sub-agent at work. Its log is a session of its own; the log of its parent gets its costs and its checkpoints. */
class RunningTask {
  readonly #parent: Agent
  readonly #task: Task
  readonly #deps: TaskDeps
  readonly #mustEnd = new AbortController()
  #used = NOTHING_USED
  #lastCounted: Seq = 0
  /** How many messages of the user to the parent it has got. */
  #steered: number
  #step = 0
  #appending: Promise<unknown> = Promise.resolve()

  constructor(parent: Agent, task: Task, deps: TaskDeps) {
    this.#parent = parent
    this.#task = task
    this.#deps = deps
    this.#steered = parent.steering.length
  }

  /** Works until it reports, and never throws: a failure is a result with what there is until then. */
  async run(wish: TaskWish, signal: AbortSignal): Promise<ToolOutput> {
    const stop = AbortSignal.any([signal, this.#mustEnd.signal])
    let unfinished: string | undefined
    try {
      const child = await this.#open(wish)
      const end = await runTurn(child, undefined, stop).finally(() => dropPrepared(child, 'the sub-agent has ended'))
      unfinished = this.#whyUnfinished(end, stop)
    } catch (error) {
      unfinished = oneLine(messageOf(error), 300)
    }
    await this.#appending
    const { deps, live } = this.#parent
    deps.jobs?.handOver(this.#task.session, live.session)
    return this.#report(unfinished)
  }

  async #open({ prompt, tools }: TaskWish): Promise<Agent> {
    const parent = this.#parent
    const { store } = parent.live
    // The order is not the user's, so it must not count as their words. The pin keeps it in the context.
    await store.append(this.#task.session, [
      { type: 'message', message: { role: 'user', content: prompt }, userWords: [] },
      { type: 'pin', target: 1, on: true },
    ])
    const deps = this.#childDeps(toolsFor(tools, parent.tools), (event) => this.#take(event, child))
    const live = await LiveSession.open(store, this.#task.session)
    const child: Agent = new Agent(deps, live, parent.model, toolSchemas(deps.tools))
    child.learnedWindow = parent.learnedWindow
    return child
  }

  #childDeps(tools: readonly Tool[], onEvent: AgentDeps['onEvent']): AgentDeps {
    const { deps, policyPatch: policy, reasoning } = this.#parent
    const { name, call } = this.#task
    return {
      ...deps,
      tools,
      fixed: deps.fixed.withPrompt(TASK_PROMPT),
      policy,
      reasoning,
      stepLimit: this.#deps.limits.steps,
      permit: (request, _, signal) => deps.permit(request, call, signal, name),
      keeper: deps.keeper && this.#keeper(deps.keeper),
      runTask: undefined,
      alone: this.#deps.alone,
      askCompaction: undefined,
      onEvent,
    }
  }

  /** Checkpoints go into the log of the parent: a rewind there also restores what its sub-agents changed. */
  #keeper(keeper: FileKeeper): FileKeeper {
    const { live } = this.#parent
    const { call } = this.#task
    return {
      before: async (request, _, signal) => {
        const kept = await keeper.before(request, call, signal)
        if (kept.draft !== undefined) await live.append([kept.draft])
        return {
          after: async (written) => {
            const { draft = kept.draft && endOf(kept.draft, written), files } = await kept.after()
            if (draft !== undefined) await live.append([draft])
            return { files }
          },
        }
      },
    }
  }

  #take(event: AgentEvent, child: Agent): void {
    switch (event.type) {
      case 'entry':
        return this.#count(event.entry, child)
      case 'compaction-ended':
        for (const entry of event.result.entries) this.#count(entry, child)
        return this.#show(child, event.result.compacted ? 'compacted its context' : '')
      case 'step-started':
        this.#step = event.step
        return this.#show(child, '')
      case 'tool-started':
        return this.#show(child, `${event.toolName} ${oneLine(callTarget(event.input), 80)}`)
      case 'status':
        return this.#steer(child)
      case 'retry':
        return this.#show(child, `waits: ${event.failure.text}`)
      case 'notice':
        return this.#parent.emit({ type: 'notice', text: `${this.#task.name}: ${event.text}` })
    }
  }

  /** Adds an answer of the provider to the account of the parent, and ends the task if it is over a limit. */
  #count(entry: Entry, child: Agent): void {
    const usage = paidUsage(entry)
    if (usage === undefined || entry.seq <= this.#lastCounted) return
    this.#lastCounted = entry.seq
    this.#used = afterCall(this.#used, usage, child.model.info.prices)
    const { name: task } = this.#task
    const model = ('model' in entry ? entry.model : undefined) ?? child.model.name
    const parent = this.#parent
    this.#appending = this.#appending
      .then(() => parent.append([{ type: 'void', reason: `sub-agent ${task}`, task, model, usage }]))
      .then(() => parent.emit({ type: 'status', status: parent.status() }))
      .catch((error: unknown) => this.#mustEnd.abort(new AbortReason(`its cost was not stored: ${messageOf(error)}`)))
    const why = overLimit(this.#used, this.#deps.limits)
    if (why !== undefined) this.#mustEnd.abort(new AbortReason(why))
  }

  /** One line about the current step, for a user who watches. */
  #show(child: Agent, doing: string): void {
    const facts = [`step ${this.#step}`, `${short(child.status().tokens)} tokens`, ...(doing === '' ? [] : [doing])]
    const text = `${this.#task.name} · ${facts.join(' · ')}\n`
    this.#parent.emit({ type: 'tool-output', toolCallId: this.#task.call, text })
  }

  /** Passes on the messages that the user sent to the parent meanwhile. The parent reads them, too, after its sub-agents. */
  #steer(child: Agent): void {
    const { steering } = this.#parent
    child.steering.push(...steering.slice(this.#steered))
    this.#steered = steering.length
  }

  #whyUnfinished({ reason, text }: TurnEnd, stop: AbortSignal): string | undefined {
    if (reason === 'done') return undefined
    if (reason === 'step-limit') return stepsText(this.#deps.limits)
    if (reason !== 'aborted') return text
    const over: unknown = this.#mustEnd.signal.reason
    return over instanceof AbortReason ? over.message : `it was interrupted ${abortCause(stop)}`
  }

  async #report(unfinished: string | undefined): Promise<ToolOutput> {
    const { store } = this.#parent.live
    const { name, session } = this.#task
    const { entries } = await store.entries(session)
    const messages = entries.filter((entry) => entry.type === 'message')
    const upTo = entries.at(-1)?.seq ?? 0
    const text = reportOfLog(messages, { name, tokens: REPORT_TOKENS, upTo, unfinished })
    return { text, isError: unfinished !== undefined, files: changedFiles(messages, name) }
  }
}

/** The tools of a sub-agent that only reads. */
const READING: ReadonlySet<string> = new Set(['read', 'grep', 'find', 'ls', 'recall'])

/** A sub-agent starts no others, and its context is compacted for it. */
const NEVER: ReadonlySet<string> = new Set(['task', 'context'])

function toolsFor(which: TaskWish['tools'], tools: readonly Tool[]): readonly Tool[] {
  return tools.filter(({ name }) => (which === 'read' ? READING.has(name) : !NEVER.has(name)))
}

/** How an edit left its files: the result that says so is not in the log of the parent. */
function endOf(edit: CheckpointDraft, written: readonly SeenFile[] = []): CheckpointDraft | undefined {
  const files = edit.files.flatMap((file) => {
    const after = written.find(({ path, access }) => path === file.path && access === 'modified')?.hash
    return after === undefined ? [] : [{ ...file, after }]
  })
  return files.length === 0 ? undefined : { ...edit, files }
}

/** The files that it changed, each once, for the ledger of its parent. */
function changedFiles(messages: readonly EntryOf<'message'>[], by: string): SeenFile[] {
  const changed = messages.flatMap(({ files = [] }) => files).filter(({ access }) => access !== 'read')
  return [...new Map(changed.map(({ path, access }) => [path, { path, access, by }])).values()]
}
