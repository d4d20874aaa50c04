import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { describe, expect, it } from 'vitest'
import { packageVersion } from '../../../src/cli/process/package.ts'
import { httpServer, STDIO_SERVER } from '../../support/mcp-servers.ts'
import { addTestTools } from '../../support/mcp-test-tools.ts'
import { calling, saidTo, scriptedBrain } from '../../support/scripted-brain.ts'
import { ready, start } from '../../tui/support/fixture.ts'
import { KEY } from '../../tui/support/program.ts'
import { realProgram } from '../../tui/support/real-program.ts'
import { hasTmux } from '../../tui/support/tmux.ts'

const SIZE = { columns: 80, rows: 24 }

describe('MCP servers in the terminal', () => {
  it.skipIf(!hasTmux)('receive the version of Pith', async () => {
    const sessions: McpServer[] = []
    const { url } = await httpServer((server) => {
      addTestTools(server)
      sessions.push(server)
    })
    const { at } = await ready(scriptedBrain({ steps: [] }), { mcp: { web: { url } } })
    const { terminal } = realProgram(at)
    await terminal.sees('%')
    const versions = () => sessions.flatMap(({ server }) => server.getClientVersion() ?? [])
    await expect.poll(versions, { timeout: 10_000 }).toEqual([{ name: 'pith', version: packageVersion() }])
  })

  it('/mcp lists them, their tools are asked about and answer, and one that fails is reported', async () => {
    const { url } = await httpServer()
    const brain = scriptedBrain({ steps: [calling('web__echo', { said: 'hi' }), { text: 'It answered.' }] })
    const { at, model } = await ready(brain, { mcp: { web: { url }, broken: { command: 'no-such-program' } } })
    const program = start(at, SIZE)
    await program.sees('MCP server broken: ')
    await program.send('/mcp')
    expect(await program.sees('MCP servers')).toMatch(/web +ready +7 tools +\d+ tokens/)
    expect(await program.screen()).toMatch(/broken +failed/)
    await program.send('/mcp web')
    await program.sees('web__shot')
    // The seven tools of the server are counted before anything is said.
    expect(Number(/([\d.]+)k of 100k/.exec(await program.status())?.[1])).toBeGreaterThan(2.6)
    await program.send('call it')
    const question = await program.sees('› o  once')
    expect(question).toContain('The agent wants to call')
    expect(question).toContain('"said": "hi"')
    expect(question).toContain('always (tool: web__echo)')
    program.press('a')
    await program.sees('It answered.')
    expect(saidTo(model.requests.at(-1)?.request)).toContain('echo: hi')
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('"name":"web__shot"')
  })

  it('the servers of .mcp.json start only after a question, which is asked once', async () => {
    const { at } = await ready(scriptedBrain({ steps: [] }))
    at.file('.mcp.json', JSON.stringify({ mcpServers: { local: STDIO_SERVER } }))
    const program = start(at, { ...SIZE, columns: 120 })
    const question = await program.sees('names MCP servers. Start them?')
    expect(question).toContain('mcp-stdio-worker')
    await program.sees('› l  not now')
    program.press(KEY.escape)
    await program.seesNot('Start them?')
    await program.send('/mcp')
    await program.sees(/local +off +0 tools/)
    await program.send('/mcp trust')
    await program.sees('› l  not now')
    // Enter takes what is chosen, and that is not the yes.
    program.press(KEY.enter)
    await program.seesNot('Start them?')
    await program.send('/mcp')
    await program.sees(/local +off +0 tools/)
    await program.send('/mcp trust')
    await program.sees('› l  not now')
    const percent = async () => Number(/([\d.]+)%/.exec(await program.status())?.[1])
    const without = await percent()
    program.press('y')
    // Its tools are in the count as soon as it runs.
    await expect.poll(percent).toBeGreaterThan(without)
    await program.send('/mcp local')
    await program.sees('local__echo')
    await program.quit()
    const again = start(at, { ...SIZE, columns: 120 })
    await again.sees('%')
    await again.send('/mcp')
    await again.sees(/local +(ready|starting)/)
    expect(await again.transcript()).not.toContain('Start them?')
  })

  it('the question about .mcp.json shows environment and headers, and no value of a variable', async () => {
    const { at } = await ready(scriptedBrain({ steps: [] }))
    const servers = {
      docs: { command: 'node', args: ['srv.js', 'two words'], env: { NODE_OPTIONS: '--require ./evil.cjs' } },
      web: { url: 'http://127.0.0.1:9/mcp', headers: { Authorization: `Bearer \${MY_SECRET_TOKEN}` } },
    }
    at.file('.mcp.json', JSON.stringify({ mcpServers: servers }))
    const program = start(at, { ...SIZE, columns: 120, env: { MY_SECRET_TOKEN: 'do-not-show' } })
    const question = await program.sees('names MCP servers. Start them?')
    expect(question).toContain('runs node srv.js "two words"')
    expect(question).toContain('sets NODE_OPTIONS="--require ./evil.cjs"')
    expect(question).toContain('connects to http://127.0.0.1:9/mcp')
    expect(question).toContain(
      `sends Authorization: "Bearer \${MY_SECRET_TOKEN}" (MY_SECRET_TOKEN comes from your environment)`,
    )
    await program.sees('› l  not now')
    program.press('y')
    await program.sees('MCP server web: ')
    expect(await program.transcript()).not.toContain('do-not-show')
  })

  it('Esc leaves a call that hangs, a long answer is bounded', async () => {
    const { url } = await httpServer()
    const steps = [calling('web__hang', {}), calling('web__long', {}), { text: 'Long done.' }]
    const { at, model } = await ready(scriptedBrain({ steps }), { mcp: { web: { url } }, permissions: 'full' })
    const program = start(at, SIZE)
    await program.sees('%')
    await program.send('hang')
    await program.sees('web__hang')
    program.press(KEY.escape)
    await program.sees('Interrupted')
    await program.send('go on')
    await program.sees('Long done.')
    const said = saidTo(model.requests.at(-1)?.request)
    expect(said).toContain('the end')
    expect(said.length).toBeLessThan(40_000)
  })
})
