import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { addTestTools } from './mcp-test-tools.ts'

// A server in a process of its own, for tests.
const server = new McpServer({ name: 'test', version: '1' })
addTestTools(server)
process.stderr.write('the server has begun\n')
await server.connect(new StdioServerTransport())
