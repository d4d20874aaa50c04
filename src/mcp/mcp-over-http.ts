import { randomUUID } from 'node:crypto'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport as HttpTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { SessionFinder } from './found-session.ts'
import { mcpServer } from './mcp-server.ts'

/** A client that has connected, and who it is: nobody else may speak in its place. */
type Connection = { readonly who: string; readonly transport: HttpTransport; readonly server: Server }

/** Clients that connect anew after this many others have done so: each holds a few kilobytes. */
const MOST_CONNECTIONS = 500
/** A call of a tool has a few hundred. */
const LONGEST_BODY = 100_000

/** The MCP server over streamable HTTP. Whoever calls it has checked host, origin and token. */
export class McpOverHttp {
  readonly #version: string
  /** The one that was used last stands last. */
  readonly #connections = new Map<string, Connection>()

  constructor({ version }: { readonly version: string }) {
    this.#version = version
  }

  async answer(request: Request, who: string, finder: () => SessionFinder): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    if (id === null) return this.#connect(request, who, finder())
    const known = this.#connections.get(id)
    // The id of somebody else is as unknown as any other: the client then connects anew.
    if (known?.who !== who) return unknownConnection()
    this.#connections.delete(id)
    this.#connections.set(id, known)
    return known.transport.handleRequest(request)
  }

  /** Ends all connections, and the streams that wait for nothing. */
  async close(): Promise<void> {
    await Promise.all([...this.#connections.keys()].map((id) => this.#end(id)))
  }

  async #connect(request: Request, who: string, finder: SessionFinder): Promise<Response> {
    const server = mcpServer(finder, { version: this.#version })
    const transport: HttpTransport = new HttpTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: LONGEST_BODY,
      onsessioninitialized: (id) => void this.#connections.set(id, { who, transport, server }),
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

/** The answer that the protocol has for it. */
function unknownConnection(): Response {
  const error = { code: -32_001, message: 'Session not found' }
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 })
}
