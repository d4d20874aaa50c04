import { randomUUID } from 'node:crypto'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport as HttpTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { SessionFinder } from './found-session.ts'
import { mcpServer } from './mcp-server.ts'

/** The connection of a client. Only its owner may use it. */
type Connection = { readonly owner: string; readonly transport: HttpTransport; readonly server: Server }

/** The most connections at once; each needs a few kilobytes. Beyond that, the least recently used client has to connect again. */
const MOST_CONNECTIONS = 500
/** The most bytes of a request. A call of a tool has a few hundred. */
const LONGEST_BODY = 100_000

/** The MCP server over streamable HTTP. The caller has to check host, origin and token first. */
export class McpOverHttp {
  readonly #version: string
  /** In the order of their last use. */
  readonly #connections = new Map<string, Connection>()

  constructor({ version }: { readonly version: string }) {
    this.#version = version
  }

  async answer(request: Request, owner: string, finder: () => SessionFinder): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    if (id === null) return this.#connect(request, owner, finder())
    const known = this.#connections.get(id)
    // The id of another owner's connection is answered like an unknown one. The client then connects again.
    if (known?.owner !== owner) return unknownConnection()
    this.#connections.delete(id)
    this.#connections.set(id, known)
    return known.transport.handleRequest(request)
  }

  /** Ends all connections and their idle streams. */
  async close(): Promise<void> {
    await Promise.all([...this.#connections.keys()].map((id) => this.#end(id)))
  }

  async #connect(request: Request, owner: string, finder: SessionFinder): Promise<Response> {
    const server = mcpServer(finder, { version: this.#version })
    const transport: HttpTransport = new HttpTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: LONGEST_BODY,
      onsessioninitialized: (id) => void this.#connections.set(id, { owner, transport, server }),
      onsessionclosed: (id) => void this.#connections.delete(id),
    })
    await server.connect(transport)
    const [oldest] = this.#connections.keys()
    if (oldest !== undefined && this.#connections.size >= MOST_CONNECTIONS) await this.#end(oldest)
    return transport.handleRequest(request)
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
