import { writeFileSync } from 'node:fs'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=='

/** The behaviour of real servers: answer, answer at length, show an image, change a file, fail, hang, die. */
export function addTestTools(server: McpServer): void {
  const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] })
  const register = (name: string, description: string, run: (said: string) => ReturnType<typeof text>) =>
    server.registerTool(name, { description, inputSchema: { said: z.string().optional() } }, async ({ said = '' }) =>
      run(said),
    )
  register('echo', 'Says it again', (said) => text(`echo: ${said}`))
  register('long', 'Says very much', () => text(`${'many words '.repeat(20_000)}the end`))
  register('write', 'Writes a file', (said) => {
    writeFileSync(said, 'written by a server\n')
    return text('written')
  })
  register('fail', 'Fails', () => {
    throw new Error('this went wrong')
  })
  register('die', 'Ends the server', () => process.exit(3))
  server.registerTool('shot', { description: 'Shows an image' }, async () => ({
    content: [
      { type: 'text', text: 'a picture' },
      { type: 'image', data: PIXEL, mimeType: 'image/png' },
    ],
  }))
  server.registerTool('hang', { description: 'Never answers' }, () => new Promise(() => {}))
}
