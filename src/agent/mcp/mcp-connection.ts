import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  type CallToolResult,
  type Tool as McpTool,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { programProblem } from '../../config/places/program-path.ts'
import type { McpServerSettings } from '../../config/tables/mcp-settings.ts'
import { messageOf } from '../../model/problems/errors.ts'
import { untilAborted } from '../interruption.ts'
import { MARK, newMark, OwnedProcess } from '../processes/owned-process.ts'

export type McpPlace = {
  readonly workspace: string
  /** The environment of commands, without the keys of providers. */
  readonly env: Readonly<Record<string, string>>
  /** The version of Pith, which is sent to servers. */
  readonly version: string
}

export type McpState = { readonly kind: 'starting' | 'ready' } | { readonly kind: 'failed'; readonly why: string }

const START_MS = 20_000
const CALL_MS = 120_000
const MOST_PAGES = 50
const ERROR_CHARACTERS = 2_000

/** One MCP server. It is started once, and again when a call finds that it has died. A failure is a state, not an exception. */
export class McpConnection {
  readonly name: string
  readonly #settings: McpServerSettings
  readonly #place: McpPlace
  readonly #onTools: () => void
  #client: Client | undefined
  #connecting: Promise<void> | undefined
  #process: OwnedProcess | undefined
  #errors = ''
  #isClosed = false
  state: McpState = { kind: 'starting' }
  /** The tools that the server listed last. They stay when it dies, because the provider's cache is keyed on the tools. */
  tools: readonly McpTool[] = []

  constructor(name: string, settings: McpServerSettings, place: McpPlace, onTools: () => void) {
    this.name = name
    this.#settings = settings
    this.#place = place
    this.#onTools = onTools
  }

  /** Resolves when the server is ready or has failed. */
  connect(): Promise<void> {
    this.#connecting ??= this.#start().finally(() => {
      this.#connecting = undefined
    })
    return this.#connecting
  }

  async call(tool: string, input: Record<string, unknown>, options: McpCallOptions): Promise<CallToolResult> {
    if (this.#client === undefined) await untilAborted(this.connect(), options.signal)
    const client = this.#client
    if (client === undefined) throw new Error(this.state.kind === 'failed' ? this.state.why : 'it is still starting')
    const { signal, onProgress } = options
    const timeout = this.#settings.timeoutMs ?? CALL_MS
    const result = await client.callTool({ name: tool, arguments: input }, undefined, {
      signal,
      timeout,
      resetTimeoutOnProgress: true,
      onprogress: ({ message }) => message !== undefined && onProgress(message),
    })
    return result as CallToolResult
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#client?.close().catch(() => undefined)
    await this.#endProcess()
  }

  /** Ends the child processes of the server, too. The SDK ends only the program itself. */
  async #endProcess(): Promise<void> {
    const ended = this.#process
    this.#process = undefined
    await ended?.end()
  }

  async #start(): Promise<void> {
    this.state = { kind: 'starting' }
    this.#errors = ''
    const client = new Client({ name: 'pith', version: this.#place.version })
    try {
      await client.connect(this.#transport(), { timeout: START_MS })
      this.tools = await listTools(client)
      client.onclose = () => this.#lost(client, 'it has ended')
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => this.#listAgain(client))
      if (this.#isClosed) {
        await client.close()
        return await this.#endProcess()
      }
      this.#client = client
      this.state = { kind: 'ready' }
      this.#onTools()
    } catch (error) {
      await client.close().catch(() => undefined)
      await this.#endProcess()
      this.#lost(undefined, this.#programProblem() ?? messageOf(error))
    }
  }

  #programProblem(): string | undefined {
    const { command, env, cwd, url } = this.#settings
    if (url !== undefined || command === undefined) return undefined
    return programProblem(
      command,
      env?.PATH ?? this.#place.env.PATH ?? process.env.PATH ?? '',
      cwd ?? this.#place.workspace,
    )
  }

  async #listAgain(client: Client): Promise<void> {
    try {
      this.tools = await listTools(client)
      this.#onTools()
    } catch {
      // The former list stays. The next call will report the error.
    }
  }

  #lost(client: Client | undefined, why: string): void {
    if (this.#client !== client || this.#isClosed) return
    this.#client = undefined
    void this.#endProcess()
    const lastError = this.#errors.trim().split('\n').at(-1) ?? ''
    this.state = { kind: 'failed', why: this.#withoutValues([why, lastError].filter((text) => text !== '').join(': ')) }
  }

  /** A failing server may print values that it was given. Values of the user's variables are replaced by the variable's name. */
  #withoutValues(text: string): string {
    const values = Object.entries(this.#settings.fromEnvironment ?? {}).filter(
      // Replacing `1` or `on` would only garble the message.
      ([, value]) => value.length > 3,
    )
    return values.reduce((safe, [name, value]) => safe.replaceAll(value, `\${${name}}`), text)
  }

  #transport(): Transport {
    const { command, args = [], env = {}, cwd, url, headers = {} } = this.#settings
    if (url !== undefined) return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
    if (command === undefined) throw new Error('it has neither a command nor a url')
    const mark = newMark()
    const transport = new StdioClientTransport({
      command,
      args: [...args],
      env: { ...this.#place.env, ...env, [MARK]: mark },
      cwd: cwd ?? this.#place.workspace,
      stderr: 'pipe',
    })
    transport.stderr?.on('data', (chunk: Buffer) => {
      this.#errors = (this.#errors + chunk.toString('utf8')).slice(-ERROR_CHARACTERS)
    })
    // The client starts the process and then waits for its answer. The process must be registered before that.
    const start = transport.start.bind(transport)
    transport.start = async () => {
      await start()
      if (transport.pid !== null) this.#process = new OwnedProcess(transport.pid, mark)
    }
    return transport
  }
}

export type McpCallOptions = { readonly signal: AbortSignal; readonly onProgress: (text: string) => void }

async function listTools(client: Client): Promise<McpTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return []
  const tools: McpTool[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const listed = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout: START_MS })
    tools.push(...listed.tools)
    cursor = listed.nextCursor
    if (cursor === undefined) break
  }
  return tools
}
