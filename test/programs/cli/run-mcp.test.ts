import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { STDIO_SERVER } from '../../support/mcp-servers.ts'
import { runWorld } from '../../support/run-world.ts'
import { calling, saidTo, scriptedBrain } from '../../support/scripted-brain.ts'

it('pith run calls the tools of an MCP server, and ends it; a .mcp.json that was not approved is only named', async () => {
  const steps = [calling('mine__echo', { said: 'from a run' })]
  const config = `mcp: ${JSON.stringify({ mine: STDIO_SERVER })}`
  const world = await runWorld({ brain: scriptedBrain({ steps }), config })
  writeFileSync(join(world.workspace, '.mcp.json'), JSON.stringify({ mcpServers: { theirs: STDIO_SERVER } }))
  const { code, stderr } = await world.pith('run', '--permissions', 'full', 'Do it.')
  expect(code).toBe(0)
  expect(stderr).toContain('.mcp.json names MCP servers, which are not started')
  const { request, body } = world.server.requests.at(-1) ?? {}
  expect(saidTo(request)).toContain('echo: from a run')
  expect(JSON.stringify(body)).not.toContain('theirs__echo')
})
