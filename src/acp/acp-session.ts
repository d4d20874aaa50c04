import {
  type AgentContext,
  type ContentBlock,
  methods,
  type RequestPermissionRequest,
  type SessionConfigOption,
  type SessionUpdate,
  type StopReason,
} from '@agentclientprotocol/sdk'
import { unchangedText } from '../engine/report/outcome.ts'
import type { UserPart } from '../model/types.ts'
import type { OpenedSession, Port, PortEvent, Question } from '../tui/port/port.ts'
import { reduce } from '../tui/state/reduce.ts'
import { START, type State, type ToolBlock } from '../tui/state/state.ts'
import { configOptions, modeState, type ShownSettings } from './config-options.ts'
import { promptParts } from './prompt-parts.ts'
import { availableCommands, runSlash } from './run-slash.ts'
import {
  askedQuestion,
  blockUpdates,
  callInputs,
  callsIn,
  compactionUpdate,
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
  readonly editor: AgentContext
  readonly can: EditorCan
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
  readonly #calls: Map<string, unknown>
  /** Updates are sent in their order. */
  #sending: Promise<void> = Promise.resolve()
  #running: Promise<PromptEnd> | undefined
  #end: PromptEnd = { stopReason: 'end_turn' }
  /** The text of the answer that was sent since the last entry. */
  #streamed = false
  #compactions = 0

  constructor(opened: OpenedSession, deps: AcpSessionDeps) {
    this.id = opened.session.id
    this.#deps = deps
    this.#state = reduce(START, { type: 'opened', opened }, deps.now())
    this.#calls = callInputs(opened.entries)
    deps.port.subscribe((event) => this.#onEvent(event))
  }

  /** Sends the editor the state of a session that it opens, and with `replay` its messages. */
  async introduce(opened: OpenedSession, replay: boolean): Promise<void> {
    const { workspace } = opened.session
    const { can } = this.#deps
    if (replay && opened.earlier > 0)
      this.#send(messageUpdate('agent', `… ${opened.earlier} earlier entries: /recall finds what they say.\n\n`))
    if (replay) {
      const updates = this.#state.blocks.flatMap((block) => blockUpdates(block, this.#calls, workspace, can))
      this.#send(...updates)
      this.#send(planUpdate(await this.#deps.port.todos()))
    }
    for (const notice of opened.notices ?? []) this.#send(noticeUpdate(notice, false, can))
    if (opened.noModel !== undefined) this.#send(noticeUpdate(opened.noModel, true, can))
    this.#send({ sessionUpdate: 'available_commands_update', availableCommands: availableCommands() })
    this.#send(...usageUpdate(opened.status, opened.knownCost))
    await this.#sending
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
      mode: port.permissions,
      model: port.setModel,
      thinking: port.think,
    }
    const set = setters[id]
    if (set === undefined) return `there is no option ${id}: mode, model and thinking are`
    const { ok, text } = await set(value)
    return ok ? undefined : text
  }

  /** Answers a prompt when the turn ends. A prompt during a turn steers it, and ends with it. */
  async prompt(blocks: readonly ContentBlock[]): Promise<PromptEnd> {
    const { text, attached } = promptParts(blocks)
    if (this.#running !== undefined) {
      const steered = await this.#deps.port.steer(text)
      if (steered.ok) return this.#running
      await this.#running
    }
    this.#running = this.#run(text, attached)
    try {
      return await this.#running
    } finally {
      this.#running = undefined
      await this.#sending
    }
  }

  async #run(text: string, attached: readonly UserPart[]): Promise<PromptEnd> {
    const { port, sayWith, now } = this.#deps
    this.#end = { stopReason: 'end_turn' }
    const show = (words: string) => this.#send(messageUpdate('agent', `${words}\n\n`))
    const isCommand = await runSlash(text, { port, state: () => this.#state, show, now })
    if (!isCommand) await sayWith(text, attached)
    return this.#end
  }

  cancel(): Promise<void> {
    return this.#deps.port.interrupt()
  }

  async close(): Promise<void> {
    await this.#deps.port.close()
    await this.#sending
  }

  #onEvent(event: PortEvent): void {
    this.#state = reduce(this.#state, event, this.#deps.now())
    this.#send(...this.#updatesOf(event))
    if (event.type === 'question') void this.#ask(event.question)
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
      case 'tool-output':
        return this.#toolUpdates([event.toolCallId])
      case 'compaction':
        return event.event.type === 'start' ? this.#compactionStarted() : []
      case 'compaction-ended':
        return event.result.outcome === 'compacted' ? [] : this.#notCompacted(unchangedText(event.result))
      case 'status':
        return usageUpdate(event.status, event.knownCost)
      case 'title':
        return [{ sessionUpdate: 'session_info_update', title: event.title }]
      case 'notice':
        return [noticeUpdate(event.text, event.tone === 'error', can)]
      case 'permissions':
        return [{ sessionUpdate: 'current_mode_update', currentModeId: this.modes.currentModeId }]
      case 'turn-ended':
        this.#end = endOf(event)
        return []
      default:
        return []
    }
  }

  #entryUpdates(entry: Extract<PortEvent, { type: 'entry' }>['entry']): SessionUpdate[] {
    if (entry.type === 'todo') return [planUpdate(entry.items)]
    if (entry.type === 'compaction') return this.#compactionDone(entry.seq)
    if (entry.type !== 'message') return this.#noteUpdates(entry.seq)
    const { message } = entry
    const calls = callsIn(entry)
    for (const { toolCallId, input } of calls) this.#calls.set(toolCallId, input)
    const wasStreamed = this.#streamed
    this.#streamed = false
    if (message.role === 'tool') {
      return this.#toolUpdates(message.content.flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : [])))
    }
    const isOurs = message.role === 'user' ? this.#running !== undefined : wasStreamed
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
    const blocks = this.#state.blocks.filter(
      (block): block is ToolBlock => block.kind === 'tool' && ids.includes(block.toolCallId),
    )
    return blocks.map((block) => toolUpdate(block, this.#calls.get(block.toolCallId), this.#workspace))
  }

  #compactionStarted(): SessionUpdate[] {
    this.#compactions++
    if (!this.#deps.can.compaction) return []
    return [{ sessionUpdate: 'compaction_update', compactionId: this.#compactionId, status: 'in_progress' }]
  }

  get #compactionId(): string {
    return `compaction-${this.id}-${this.#compactions}`
  }

  #compactionDone(seq: number): SessionUpdate[] {
    const block = this.#state.blocks.find((each) => each.kind === 'compaction' && each.seq === seq)
    return block?.kind === 'compaction' ? [compactionUpdate(block, this.#deps.can, this.#compactionId)] : []
  }

  #notCompacted(text: string): SessionUpdate[] {
    if (!this.#deps.can.compaction || this.#compactions === 0) return [noticeUpdate(text, false, this.#deps.can)]
    return [{ sessionUpdate: 'compaction_update', compactionId: this.#compactionId, status: 'failed', error: text }]
  }

  async #ask(question: Question): Promise<void> {
    const { editor, port } = this.#deps
    const { title, content, choices, otherwise } = askedQuestion(question)
    const toolCallId = (question.kind === 'permission' ? question.toolCallId : undefined) ?? question.id
    const options = choices.map(({ optionId, name, kind }) => ({ optionId, name, kind }))
    const toolCall = { toolCallId, title, ...(content.length > 0 && { content: [...content] }) }
    await this.#sending
    try {
      const asked: RequestPermissionRequest = { sessionId: this.id, toolCall, options }
      const { outcome } = await editor.request(methods.client.session.requestPermission, asked)
      const chosen = outcome.outcome === 'selected' ? outcome.optionId : undefined
      await port.answer(question.id, choices.find(({ optionId }) => optionId === chosen)?.answer ?? otherwise)
    } catch {
      await port.answer(question.id, otherwise)
    }
  }

  async #sendOptions(): Promise<void> {
    this.#send({ sessionUpdate: 'config_option_update', configOptions: await this.configOptions() })
  }

  #send(...updates: readonly SessionUpdate[]): void {
    for (const update of updates) {
      const send = () => this.#deps.editor.notify(methods.client.session.update, { sessionId: this.id, update })
      // An editor that has gone gets nothing more.
      this.#sending = this.#sending.then(send).catch(() => undefined)
    }
  }
}

function endOf({ reason, text }: Extract<PortEvent, { type: 'turn-ended' }>): PromptEnd {
  const stopReason = REASONS[reason]
  return stopReason === undefined ? { failure: text } : { stopReason }
}
