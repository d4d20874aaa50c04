import {
  type AgentContext,
  type ContentBlock,
  methods,
  type RequestPermissionRequest,
  type SessionConfigOption,
  type SessionUpdate,
  type StopReason,
  type ToolCall,
} from '@agentclientprotocol/sdk'
import { type Outcome, unchangedText } from '../engine/report/outcome.ts'
import type { Entry, Seq, UserPart } from '../model/types.ts'
import type { OpenedSession, Port, PortEvent, Question } from '../tui/port/port.ts'
import { blocksOf } from '../tui/state/apply-entry.ts'
import { reduce } from '../tui/state/reduce.ts'
import { type Block, START, type State, type ToolBlock } from '../tui/state/state.ts'
import { configOptions, modeOf, modeState, PLAN, type ShownSettings } from './config-options.ts'
import { type PromptParts, promptParts } from './prompt-parts.ts'
import { offeredCommands, runSlash } from './run-slash.ts'
import {
  askedQuestion,
  blockUpdates,
  type CallFacts,
  type Calls,
  type CompactionState,
  callsIn,
  callsOfLog,
  changedFile,
  compactionCall,
  compactionUpdate,
  doneCompaction,
  type EditorCan,
  messageUpdate,
  noticeUpdate,
  planUpdate,
  toolUpdate,
  usageUpdate,
} from './session-updates.ts'

export type AcpSessionDeps = {
  readonly port: Port
  /** Runs a turn with what the editor put beside the text. */
  readonly sayWith: (text: string, attached: readonly UserPart[]) => Promise<void>
  /** The log up to an entry, in parts. No part ends between a call and its results. */
  readonly history: (upTo: Seq) => AsyncIterable<readonly Entry[]>
  readonly editor: AgentContext
  readonly can: EditorCan
  /** The text of a file of the workspace, if it is one that an editor shows. */
  readonly textOf: (path: string) => string | undefined
  readonly now: () => number
}

/** How a prompt ended: a reason of the protocol, or one line that says what went wrong. */
export type PromptEnd = { readonly stopReason: StopReason } | { readonly failure: string }

const REASONS: Readonly<Record<string, StopReason>> = {
  done: 'end_turn',
  aborted: 'cancelled',
  refused: 'refusal',
  'step-limit': 'max_turn_requests',
  'context-limit': 'max_tokens',
}

/** One session of an editor. */
export class AcpSession {
  readonly id: string
  readonly #deps: AcpSessionDeps
  #state: State
  readonly #calls: Map<string, CallFacts>
  /** The calls that the editor has: each further state of them is an update. */
  readonly #sentCalls = new Set<string>()
  /** Calls whose newest output is about to be sent. */
  readonly #waitingOutput = new Set<string>()
  /** Updates are sent in their order. */
  #sending: Promise<void> = Promise.resolve()
  /** Prompts run one after the other. */
  #prompts: Promise<unknown> = Promise.resolve()
  #isPrompted = false
  /** The number of cancellations so far. */
  #cancelled = 0
  #end: PromptEnd = { stopReason: 'end_turn' }
  /** The text of the answer that was sent since the last entry. */
  #streamed = false
  #compactions = 0
  /** The id of the running compaction. */
  #compaction: string | undefined
  readonly #asked = new Map<string, AbortController>()
  #lastUsage = ''
  /** The title that the editor has. */
  #title: string | undefined

  constructor(opened: OpenedSession, deps: AcpSessionDeps) {
    this.id = opened.session.id
    this.#deps = deps
    this.#state = reduce(START, { type: 'opened', opened }, deps.now())
    this.#calls = callsOfLog(opened.entries)
    this.#title = opened.session.title
    deps.port.subscribe((event) => this.#onEvent(event))
  }

  /** Sends the editor the messages, the commands and the size of a session that it opens. `replay`: it has no messages of it yet. */
  async introduce(opened: OpenedSession, { replay, notices }: Introduction): Promise<void> {
    const { can, port } = this.#deps
    if (replay) {
      await this.#replay(opened.entries.at(-1)?.seq ?? 0)
      this.#send(planUpdate(await port.todos()))
    }
    for (const notice of [...(opened.notices ?? []), ...notices]) this.#send(noticeUpdate(notice, false, can))
    if (opened.noModel !== undefined) this.#send(noticeUpdate(opened.noModel, true, can))
    const availableCommands = offeredCommands(await port.ownCommands())
    this.#send({ sessionUpdate: 'available_commands_update', availableCommands })
    this.#sendUsage(opened)
    await this.#sending
  }

  /** Sends all that was said, however long it is. Events that come meanwhile are sent after it. */
  #replay(upTo: Seq): Promise<void> {
    const send = async () => {
      for await (const entries of this.#deps.history(upTo)) {
        const calls = callsOfLog(entries)
        for (const block of blocksOf(entries)) await this.#notify(...this.#shownUpdates(block, calls))
      }
    }
    const replayed = this.#sending.then(send)
    this.#sending = replayed.catch(() => undefined)
    return replayed
  }

  /** A block as an editor shows a conversation that it loads. */
  #shownUpdates(block: Block, calls: Calls): SessionUpdate[] {
    if (block.kind === 'tool') this.#sentCalls.add(block.toolCallId)
    return blockUpdates(block, calls, this.#workspace, this.#deps.can)
  }

  get modes() {
    return modeState(this.#settings)
  }

  async configOptions(): Promise<SessionConfigOption[]> {
    return configOptions(this.#settings, await this.#deps.port.models())
  }

  get #settings(): ShownSettings {
    const { permissions, model, thinking } = this.#state
    return { permissions, model, thinking }
  }

  /** Sets an option by its id. The result is one line if it was refused. */
  async configure(id: string, value: string): Promise<string | undefined> {
    const { port } = this.#deps
    const setters: Readonly<Record<string, (value: string) => ReturnType<Port['permissions']>>> = {
      mode: (mode) => this.#setMode(mode),
      model: port.setModel,
      thinking: port.think,
    }
    const set = setters[id]
    if (set === undefined) return `there is no option ${id}: mode, model and thinking are`
    const { ok, text } = await set(value)
    return ok ? undefined : text
  }

  async #setMode(mode: string): ReturnType<Port['permissions']> {
    const { port } = this.#deps
    if (mode === PLAN) return port.plan(true)
    const set = await port.permissions(mode)
    return set.ok && modeOf(this.#state) === PLAN ? port.plan(false) : set
  }

  /** Answers a prompt when its turn ends. One that comes during a turn waits for the end of it. */
  prompt(blocks: readonly ContentBlock[]): Promise<PromptEnd> {
    const cancelled = this.#cancelled
    const ended = this.#prompts.then(async (): Promise<PromptEnd> => {
      if (this.#cancelled === cancelled) await this.#run(promptParts(blocks, this.#workspace))
      await this.#sending
      // The protocol wants this answer to a cancelled prompt, however its work ended.
      return this.#cancelled === cancelled ? this.#end : { stopReason: 'cancelled' }
    })
    this.#prompts = ended.catch(() => undefined)
    return ended
  }

  async #run({ text, attached }: PromptParts): Promise<void> {
    const { port, sayWith, now } = this.#deps
    this.#end = { stopReason: 'end_turn' }
    this.#isPrompted = true
    const show = (words: string) => this.#send(messageUpdate('agent', `${words}\n\n`))
    const say = (words: string) => sayWith(words, attached)
    try {
      if (!(await runSlash(text, { port, state: () => this.#state, show, say, now }))) await say(text)
    } finally {
      this.#isPrompted = false
    }
  }

  async cancel(): Promise<void> {
    this.#cancelled++
    await this.#deps.port.interrupt()
  }

  async close(): Promise<void> {
    this.#cancelled++
    await this.#deps.port.close()
    await this.#sending
  }

  #onEvent(event: PortEvent): void {
    this.#state = reduce(this.#state, event, this.#deps.now())
    switch (event.type) {
      case 'tool-output':
        return this.#sendOutput(event.toolCallId)
      case 'status':
        return this.#sendUsage(event)
      case 'question':
        return void this.#ask(event.question)
      case 'question-closed':
        return this.#asked.get(event.id)?.abort()
      case 'compaction':
        if (event.event.type === 'start') this.#compactionStarted()
        return
      case 'compaction-ended':
        if (event.result.outcome !== 'compacted') this.#notCompacted(event.result, event.automatic)
        return
      case 'turn-ended':
        this.#end = endOf(event)
        if (isSentence(event)) this.#send(noticeUpdate(event.text, event.reason !== 'done', this.#deps.can))
        return
      default:
        this.#send(...this.#updatesOf(event))
    }
    if (event.type === 'model' || event.type === 'permissions' || event.type === 'thinking') void this.#sendOptions()
  }

  #updatesOf(event: PortEvent): SessionUpdate[] {
    const { can } = this.#deps
    switch (event.type) {
      case 'text':
        this.#streamed = true
        return [messageUpdate('agent', event.text)]
      case 'reasoning':
        return [messageUpdate('thought', event.text)]
      case 'answer-void':
        this.#streamed = false
        return [noticeUpdate(`Asked again: ${event.reason}`, false, can)]
      case 'retry':
        return [noticeUpdate(`${event.reason}: asking again`, false, can)]
      case 'entry':
        return this.#entryUpdates(event.entry)
      case 'tool-started':
        return this.#toolUpdates([event.toolCallId])
      case 'title':
        return this.#titleUpdates(event.title)
      case 'notice':
        return [noticeUpdate(event.text, event.tone === 'error', can)]
      case 'permissions':
        return [{ sessionUpdate: 'current_mode_update', currentModeId: this.modes.currentModeId }]
      default:
        return []
    }
  }

  /** The title of a session comes again as an entry of its log. */
  #titleUpdates(title: string): SessionUpdate[] {
    if (title === this.#title) return []
    this.#title = title
    return [{ sessionUpdate: 'session_info_update', title }]
  }

  #entryUpdates(entry: Extract<PortEvent, { type: 'entry' }>['entry']): SessionUpdate[] {
    if (entry.type === 'todo') return [planUpdate(entry.items)]
    if (entry.type === 'compaction') return this.#compactionDone(entry.seq)
    if (entry.type !== 'message') return this.#noteUpdates(entry.seq)
    const { message } = entry
    const calls = callsIn(entry)
    for (const call of calls) {
      const file = changedFile(call, this.#workspace)
      // The call is stored before it runs, so this is the file as it was.
      this.#calls.set(call.toolCallId, { input: call.input, before: file && this.#deps.textOf(file) })
    }
    const wasStreamed = this.#streamed
    this.#streamed = false
    if (message.role === 'tool') {
      return this.#toolUpdates(message.content.flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : [])))
    }
    const isOurs = message.role === 'user' ? this.#isPrompted : wasStreamed
    const said = isOurs
      ? []
      : this.#state.blocks
          .filter(({ kind, seq }: { kind: string; seq?: number }) => seq === entry.seq && kind !== 'tool')
          .flatMap((block) => blockUpdates(block, this.#calls, this.#workspace, this.#deps.can))
    return [...said, ...this.#toolUpdates(calls.map(({ toolCallId }) => toolCallId))]
  }

  /** A change of the context, as the line that the terminal shows. */
  #noteUpdates(seq: number): SessionUpdate[] {
    return this.#state.blocks.flatMap((block) =>
      block.kind === 'note' && block.seq === seq ? [noticeUpdate(block.text, false, this.#deps.can)] : [],
    )
  }

  get #workspace(): string {
    return this.#state.session?.workspace ?? ''
  }

  #toolUpdates(ids: readonly string[]): SessionUpdate[] {
    return ids.flatMap((id) => {
      const call = this.#toolCall(id)
      return call === undefined ? [] : [this.#callUpdate(call)]
    })
  }

  #toolCall(id: string): ToolCall | undefined {
    const block = this.#state.blocks.findLast(
      (each): each is ToolBlock => each.kind === 'tool' && each.toolCallId === id,
    )
    return block && toolUpdate(block, this.#calls.get(id), this.#workspace)
  }

  /** A call that the editor does not have yet, or a change of it. */
  #callUpdate(call: ToolCall): SessionUpdate {
    const isKnown = this.#sentCalls.has(call.toolCallId)
    this.#sentCalls.add(call.toolCallId)
    return isKnown ? { sessionUpdate: 'tool_call_update', ...call } : { sessionUpdate: 'tool_call', ...call }
  }

  /** Sends the output so far. While an update of a call waits to be sent, further output of it needs none of its own. */
  #sendOutput(id: string): void {
    if (this.#waitingOutput.has(id)) return
    this.#waitingOutput.add(id)
    this.#sendLater(() => {
      this.#waitingOutput.delete(id)
      const call = this.#toolCall(id)
      return call?.status === 'in_progress' ? this.#callUpdate(call) : undefined
    })
  }

  #compactionStarted(): void {
    this.#compaction = `compaction-${this.id}-${++this.#compactions}`
    this.#sendCompaction({ status: 'in_progress', title: 'Compacting the conversation' })
  }

  #compactionDone(seq: number): SessionUpdate[] {
    const block = this.#state.blocks.find((each) => each.kind === 'compaction' && each.seq === seq)
    const update = block?.kind === 'compaction' ? this.#compactionUpdate(doneCompaction(block)) : undefined
    this.#compaction = undefined
    return update === undefined ? [] : [update]
  }

  #notCompacted(result: Exclude<Outcome, { outcome: 'compacted' }>, automatic: boolean): void {
    const text = unchangedText(result)
    const status = result.outcome === 'cancelled' ? 'cancelled' : 'failed'
    if (this.#compaction !== undefined) this.#sendCompaction({ status, title: text })
    // Nobody asked for an automatic one that was not even begun.
    else if (!automatic) this.#send(noticeUpdate(text, status === 'failed', this.#deps.can))
    this.#compaction = undefined
  }

  #sendCompaction(state: CompactionState): void {
    this.#send(this.#compactionUpdate(state))
  }

  #compactionUpdate(state: CompactionState): SessionUpdate {
    // One that another process has made begins with its result.
    const id = this.#compaction ?? `compaction-${this.id}-${++this.#compactions}`
    return this.#deps.can.compaction ? compactionUpdate(id, state) : this.#callUpdate(compactionCall(id, state))
  }

  async #ask(question: Question): Promise<void> {
    const { editor, port } = this.#deps
    const { title, content, choices, otherwise } = askedQuestion(question)
    const known = this.#callOf(question)
    // The changes of an edit are shown as a change, not as a text.
    const isChange = known?.content?.some(({ type }) => type === 'diff') === true
    const toolCall = {
      ...known,
      toolCallId: known?.toolCallId ?? question.id,
      title,
      status: 'pending' as const,
      ...(!isChange && content.length > 0 && { content: [...content] }),
    }
    const options = choices.map(({ optionId, name, kind }) => ({ optionId, name, kind }))
    const closed = new AbortController()
    this.#asked.set(question.id, closed)
    await this.#sending
    try {
      const asked: RequestPermissionRequest = { sessionId: this.id, toolCall, options }
      const { outcome } = await editor.request(methods.client.session.requestPermission, asked, {
        cancellationSignal: closed.signal,
      })
      const chosen = outcome.outcome === 'selected' ? outcome.optionId : undefined
      const choice = choices.find(({ optionId }) => optionId === chosen)
      await port.answer(question.id, choice?.answer ?? otherwise)
      if (known === undefined) this.#endQuestion(question, choice?.kind.startsWith('allow') === true)
    } catch {
      await port.answer(question.id, otherwise)
    } finally {
      this.#asked.delete(question.id)
    }
  }

  /** The call that a question is about. That of a sub-agent is not in this conversation. */
  #callOf(question: Question): ToolCall | undefined {
    if (question.kind !== 'permission' || question.by !== undefined) return undefined
    return this.#toolCall(question.toolCallId ?? '')
  }

  /** An editor shows a question as a call, which would stay open without this. */
  #endQuestion({ id }: Question, isAllowed: boolean): void {
    const status = isAllowed ? 'completed' : 'failed'
    this.#send({ sessionUpdate: 'tool_call_update', toolCallId: id, status })
  }

  async #sendOptions(): Promise<void> {
    this.#send({ sessionUpdate: 'config_option_update', configOptions: await this.configOptions() })
  }

  #sendUsage({ status, knownCost }: Pick<OpenedSession, 'status' | 'knownCost'>): void {
    for (const update of usageUpdate(status, knownCost)) {
      const usage = JSON.stringify(update)
      if (usage !== this.#lastUsage) this.#send(update)
      this.#lastUsage = usage
    }
  }

  #send(...updates: readonly SessionUpdate[]): void {
    for (const update of updates) this.#sendLater(() => update)
  }

  #sendLater(make: () => SessionUpdate | undefined): void {
    const send = async () => {
      const update = make()
      if (update !== undefined) await this.#notify(update)
    }
    // An editor that has gone gets nothing more.
    this.#sending = this.#sending.then(send).catch(() => undefined)
  }

  async #notify(...updates: readonly SessionUpdate[]): Promise<void> {
    const { editor } = this.#deps
    for (const update of updates) await editor.notify(methods.client.session.update, { sessionId: this.id, update })
  }
}

type Introduction = { readonly replay: boolean; readonly notices: readonly string[] }

type TurnEnded = Extract<PortEvent, { type: 'turn-ended' }>

/** True if a turn ended with a reason of the protocol, and with a sentence that the reason alone does not say. */
function isSentence({ reason, text }: TurnEnded): boolean {
  return reason in REASONS && reason !== 'aborted' && text !== ''
}

function endOf({ reason, text }: TurnEnded): PromptEnd {
  const stopReason = REASONS[reason]
  return stopReason === undefined ? { failure: text } : { stopReason }
}
