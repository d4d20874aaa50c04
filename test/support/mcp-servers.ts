import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { onTestFinished } from 'vitest'
import { bundledWorker } from './bundled-worker.ts'
import { addTestTools } from './mcp-test-tools.ts'

/** The settings of a server over standard input and output. */
export const STDIO_SERVER = { command: process.execPath, args: [await bundledWorker('mcp-stdio-worker')] }

/** A server over streamable HTTP; gives its address and the headers of the requests that came. */
export async function httpServer(
  addTools: (server: McpServer) => void = addTestTools,
): Promise<{ url: string; headers: NodeJS.Dict<string | string[]>[] }> {
  const headers: NodeJS.Dict<string | string[]>[] = []
  const http = createServer(async (request, response) => {
    headers.push(request.headers)
    const server = new McpServer({ name: 'test', version: '1' })
    addTools(server)
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined })
    response.on('close', () => void transport.close())
    await server.connect(transport)
    await transport.handleRequest(request, response)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, headers }
}
