import type { Fields } from '../../../src/formats/shared/json.ts'
import { registerExtension } from '../../../src/plugins/pi/extension.ts'
import * as work from '../../../src/plugins/pi/extension-work.ts'
import type {
  PiApi,
  PiCompactionAnswer,
  PiContext,
  PiContextEvent,
  PiMessage,
  PiModelEvent,
  PiTool,
} from '../../../src/plugins/pi/pi-api.ts'

type StubOptions = {
  readonly window?: number
  readonly tokens?: number
  readonly answer?: () => AsyncIterable<PiModelEvent>
}

/** A session of pi as an extension meets it: its branch in memory, its events, its model. */
export class PiStub {
  readonly branch: Fields[] = []
  readonly notices: string[] = []
  readonly statuses: (string | undefined)[] = []
  readonly asked: unknown[] = []
  tokens: number
  readonly #handlers = new Map<string, (event: never, context: PiContext) => unknown>()
  #tool: PiTool | undefined
  readonly #options: StubOptions

  constructor(options: StubOptions = {}) {
    this.#options = options
    this.tokens = options.tokens ?? 0
    registerExtension(this.#api(), () => work)
  }

  say(role: string, content: unknown, more: object = {}): string {
    return this.#append({ type: 'message', message: { role, content, timestamp: 1_700_000_000_000, ...more } })
  }

  /** A call and its result. */
  call(name: string, input: object, result: string): string {
    const id = `call-${this.branch.length}`
    this.say('assistant', [{ type: 'toolCall', id, name, arguments: input }], { stopReason: 'toolUse' })
    return this.say('toolResult', [{ type: 'text', text: result }], { toolCallId: id, toolName: name, isError: false })
  }

  async compact(event: object = {}, signal = new AbortController().signal): Promise<PiCompactionAnswer | undefined> {
    const preparation = { tokensBefore: 90_000, settings: { keepRecentTokens: 1_000 } }
    const given = { preparation, branchEntries: this.branch, reason: 'threshold', signal, ...event }
    const answer = (await this.#emit('session_before_compact', given)) as PiCompactionAnswer | undefined
    if (answer !== undefined && 'compaction' in answer) {
      this.#append({ type: 'compaction', fromHook: true, ...answer.compaction })
      await this.#emit('session_compact', { fromExtension: true })
    }
    return answer
  }

  /** The messages of the branch as they are sent. */
  async context(): Promise<readonly PiMessage[]> {
    const messages = this.branch.flatMap(({ type, message }) => (type === 'message' ? [message as PiMessage] : []))
    const changed = (await this.#emit('context', { messages })) as PiContextEvent | undefined
    return changed?.messages ?? messages
  }

  async recall(input: object): Promise<string> {
    const answer = await this.#tool?.execute('r', input, undefined, undefined, this.#context())
    return answer?.content[0].text ?? ''
  }

  #append(entry: object): string {
    const id = `p${this.branch.length + 1}`
    this.branch.push({ id, parentId: this.branch.at(-1)?.id ?? null, timestamp: '2026-11-16T03:00:00Z', ...entry })
    return id
  }

  async #emit(name: string, event: unknown): Promise<unknown> {
    return this.#handlers.get(name)?.(event as never, this.#context())
  }

  #api(): PiApi {
    return {
      on: (name: string, handler: (event: never, context: PiContext) => unknown) => {
        this.#handlers.set(name, handler)
      },
      registerTool: (tool) => {
        this.#tool = tool
      },
      appendEntry: (customType, data) => {
        this.#append({ type: 'custom', customType, data: structuredClone(data) })
      },
      getActiveTools: () => ['bash', 'recall'],
      getAllTools: () => [{ name: 'bash', description: 'Runs a command', parameters: { type: 'object' } }],
    }
  }

  #context(): PiContext {
    const { window = 200_000, answer } = this.#options
    const model = { id: 'm', provider: 'local', contextWindow: window, maxTokens: 8_000 }
    return {
      cwd: '/repo',
      hasUI: true,
      ui: {
        setStatus: (_, text) => this.statuses.push(text),
        notify: (message) => this.notices.push(message),
      },
      sessionManager: { getSessionId: () => 'session-1', getBranch: () => this.branch },
      modelRegistry: {
        find: () => undefined,
        streamSimple: (_, request) => {
          this.asked.push(request)
          if (answer === undefined) throw new Error('there is no key')
          return answer()
        },
      },
      model,
      getContextUsage: () => ({ tokens: this.tokens }),
      getSystemPrompt: () => 'You are pi.',
    }
  }
}
