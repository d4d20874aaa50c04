import { randomUUID } from 'node:crypto'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport as HttpTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { SessionFinder } from './found-session.ts'
import { mcpServer } from './mcp-server.ts'

/** The client of a connection. */
export type McpClient = {
  /** Identifies its token and rights. Only requests with the same key may use the connection. */
  readonly key: string
  /** False once its token has ended. */
  readonly isKnown: () => boolean
}

type Connection = { readonly client: McpClient; readonly transport: HttpTransport; readonly server: Server }

/** The most connections at once; each needs a few kilobytes. Beyond that, the least recently used client has to connect again. */
const MOST_CONNECTIONS = 500
/** The most bytes of a request. A call of a tool has a few hundred. */
const LONGEST_BODY = 100_000
/** How often connections are checked: one ends soon after its token was removed. */
const CHECK_MS = 1_000

/** The MCP server over streamable HTTP. The caller has to check host, origin and token first. */
export class McpOverHttp {
  readonly #version: string
  /** In the order of their last use. */
  readonly #connections = new Map<string, Connection>()
  #checking: NodeJS.Timeout | undefined

  constructor({ version }: { readonly version: string }) {
    this.#version = version
  }

  async answer(request: Request, client: McpClient, finder: () => SessionFinder): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    if (id === null) return this.#connect(request, client, finder())
    const known = this.#connections.get(id)
    // The id of another client's connection is answered like an unknown one. The client then connects again.
    if (known?.client.key !== client.key) return unknownConnection()
    this.#connections.delete(id)
    this.#connections.set(id, known)
    return known.transport.handleRequest(request)
  }

  /** Ends all connections and their idle streams. */
  async close(): Promise<void> {
    clearInterval(this.#checking)
    await Promise.all([...this.#connections.keys()].map((id) => this.#end(id)))
  }

  async #connect(request: Request, client: McpClient, finder: SessionFinder): Promise<Response> {
    const server = mcpServer(finder, { version: this.#version })
    const transport: HttpTransport = new HttpTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: LONGEST_BODY,
      onsessioninitialized: (id) => void this.#connections.set(id, { client, transport, server }),
      onsessionclosed: (id) => void this.#connections.delete(id),
    })
    await server.connect(transport)
    this.#checking ??= setInterval(() => this.#endUnknown(), CHECK_MS).unref()
    const [oldest] = this.#connections.keys()
    if (oldest !== undefined && this.#connections.size >= MOST_CONNECTIONS) await this.#end(oldest)
    return transport.handleRequest(request)
  }

  #endUnknown(): void {
    for (const [id, { client }] of this.#connections) if (!client.isKnown()) void this.#end(id).catch(() => undefined)
  }

  async #end(id: string): Promise<void> {
    const connection = this.#connections.get(id)
    this.#connections.delete(id)
    await connection?.server.close()
  }
}

/** The answer that the protocol defines for an unknown session. */
function unknownConnection(): Response {
  const error = { code: -32_001, message: 'Session not found' }
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 })
}
