import type { McpServerSettings } from '../../config/tables/mcp-settings.ts'
import { untilAborted } from '../interruption.ts'
import type { Tool } from '../tool.ts'
import { McpConnection, type McpPlace, type McpState } from './mcp-connection.ts'
import { mcpTool } from './mcp-tool.ts'

/** A server with its state and its tools, for the user. */
export type McpServerReport = { readonly name: string; readonly state: McpState; readonly tools: readonly Tool[] }

/** A turn waits this long for servers that are starting. */
const WAIT_MS = 10_000

/** The MCP servers of a session. One that fails or hangs does not affect the others. */
export class McpServers {
  readonly #place: McpPlace
  readonly #connections = new Map<string, McpConnection>()
  #tools = new Map<string, readonly Tool[]>()
  #settled: Promise<unknown> = Promise.resolve()

  constructor(place: McpPlace) {
    this.#place = place
  }

  /** Starts the servers that are not running yet. */
  add(servers: Readonly<Record<string, McpServerSettings>>): void {
    for (const [name, settings] of Object.entries(servers)) {
      if (settings.disabled === true || this.#connections.has(name)) continue
      const connection = new McpConnection(name, settings, this.#place, () => this.#listTools(connection))
      this.#connections.set(name, connection)
      this.#settled = Promise.all([this.#settled, connection.connect()])
    }
  }

  /** Waits for servers that are starting, but not longer than a few seconds. */
  async ready(signal: AbortSignal): Promise<void> {
    await untilAborted(this.#settled, AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]))
  }

  /** All tools, in the order in which the servers were named: the provider's cache is keyed on it. */
  get tools(): readonly Tool[] {
    return [...this.#connections.keys()].flatMap((name) => this.#tools.get(name) ?? [])
  }

  get reports(): readonly McpServerReport[] {
    return [...this.#connections.values()].map(({ name, state }) => ({
      name,
      state,
      tools: this.#tools.get(name) ?? [],
    }))
  }

  async close(): Promise<void> {
    await Promise.all([...this.#connections.values()].map((connection) => connection.close()))
  }

  #listTools(connection: McpConnection): void {
    const known = new Map((this.#tools.get(connection.name) ?? []).map((tool) => [tool.name, tool]))
    const taken = new Set<string>()
    const tools = connection.tools.map((tool) => {
      const name = freeName(toolName(connection.name, tool.name), taken)
      const made = mcpTool(name, tool, connection)
      const former = known.get(name)
      // An equal tool stays the same object, so that the provider's cache stays valid.
      return former !== undefined && isSame(former, made) ? former : made
    })
    this.#tools = new Map([...this.#tools, [connection.name, tools]])
  }
}

function isSame(a: Tool, b: Tool): boolean {
  return a.description === b.description && JSON.stringify(a.inputSchema) === JSON.stringify(b.inputSchema)
}

const MOST_CHARACTERS = 64

/** `server__tool`, with the characters and the length that every provider accepts. */
function toolName(server: string, tool: string): string {
  return `${server}__${tool}`.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, MOST_CHARACTERS)
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted
  for (let n = 2; taken.has(name); n++) name = `${wanted.slice(0, MOST_CHARACTERS - 3)}_${n}`
  taken.add(name)
  return name
}
