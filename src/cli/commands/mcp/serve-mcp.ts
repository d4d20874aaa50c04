import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { mcpServer } from '../../../mcp/mcp-server.ts'
import { interruptible } from '../../process/interruptible.ts'
import { packageVersion } from '../../process/package.ts'
import { loadSetup } from '../../setup/setup.ts'
import { sessionFinder } from './session-finder.ts'

/** Serves MCP on standard input and output until the client closes them. */
export async function serveMcp(): Promise<void> {
  const finder = sessionFinder(loadSetup({}), { folder: process.cwd(), holder: process.env.PITH_WRAPPED })
  const server = mcpServer(finder, { version: packageVersion() })
  await interruptible(async (signal) => {
    const ended = new Promise<void>((resolve) => {
      process.stdin.once('end', resolve)
      signal.addEventListener('abort', () => resolve(), { once: true })
      server.onclose = resolve
    })
    await server.connect(new StdioServerTransport())
    await ended
    await server.close()
  })
}
