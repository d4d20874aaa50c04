import { execFileSync } from 'node:child_process'
import { describe, expect, it, onTestFinished } from 'vitest'
import { McpServers } from '../../../src/agent/mcp/mcp-servers.ts'
import type { ToolContext } from '../../../src/agent/tool.ts'
import type { McpServerSettings } from '../../../src/config/tables/mcp-settings.ts'
import { closedPath } from '../../support/closed-path.ts'
import { httpServer, STDIO_SERVER } from '../../support/mcp-servers.ts'

const never = new AbortController().signal

async function started(servers: Record<string, McpServerSettings>): Promise<McpServers> {
  const all = new McpServers({ workspace: process.cwd(), env: { PATH: process.env.PATH ?? '' }, version: '1.0.0' })
  onTestFinished(() => all.close())
  all.add(servers)
  await all.ready(never)
  return all
}

function call(servers: McpServers, name: string, input: unknown = {}, signal = never) {
  const tool = servers.tools.find((each) => each.name === name)
  if (tool === undefined) throw new Error(`there is no ${name}`)
  return tool.run(input, { signal } as ToolContext)
}

describe('an MCP server over standard input and output', () => {
  it('gives its tools under its name, with their schemas, and answers', async () => {
    const servers = await started({ 'my.files': STDIO_SERVER })
    expect(servers.tools.map(({ name }) => name)).toContain('my_files__echo')
    expect(servers.tools[0]).toMatchObject({ description: 'Says it again', inputSchema: { type: 'object' } })
    expect(await call(servers, 'my_files__echo', { said: 'hello' })).toEqual({ text: 'echo: hello' })
    expect(await call(servers, 'my_files__shot')).toMatchObject({
      text: 'a picture',
      images: [{ mediaType: 'image/png', data: expect.any(String) }],
    })
    expect(await call(servers, 'my_files__fail')).toMatchObject({ text: 'this went wrong', isError: true })
  })

  it('that hangs is left at an interruption, and after its time', async () => {
    const servers = await started({ s: STDIO_SERVER, hasty: { ...STDIO_SERVER, timeoutMs: 50 } })
    const late = await call(servers, 'hasty__hang')
    expect(late).toMatchObject({ text: expect.stringContaining('timed out'), isError: true })
    const stop = new AbortController()
    const waiting = call(servers, 's__hang', {}, stop.signal)
    stop.abort()
    expect(await waiting).toMatchObject({ text: expect.stringContaining('Interrupted'), isError: true })
    expect(await call(servers, 's__echo', { said: 'still here' })).toEqual({ text: 'echo: still here' })
  })

  it('that dies is an error of that call, and is started again for the next one', async () => {
    const servers = await started({ s: STDIO_SERVER })
    expect(await call(servers, 's__die')).toMatchObject({ isError: true })
    expect(servers.reports[0]?.state).toMatchObject({ kind: 'failed', why: expect.stringContaining('has ended') })
    const before = servers.tools
    expect(await call(servers, 's__echo', { said: 'again' })).toEqual({ text: 'echo: again' })
    // Nothing has changed for the provider's cache.
    expect(servers.tools).toEqual(before)
    expect(servers.tools.every((tool, i) => tool === before[i])).toBe(true)
  })

  it('that cannot be started is a state with its reason, and takes nothing from the others', async () => {
    const broken = { command: process.execPath, args: ['-e', 'console.error("no such database"); process.exit(1)'] }
    const missing = { command: 'no-such-program' }
    const unfound = { command: 'no-such-program', env: { PATH: closedPath() } }
    const plainFile = { command: import.meta.filename }
    const servers = await started({ broken, missing, unfound, plainFile, none: {}, good: STDIO_SERVER })
    expect(servers.reports.map(({ name, state }) => [name, state])).toEqual([
      ['broken', { kind: 'failed', why: expect.stringContaining('no such database') }],
      ['missing', { kind: 'failed', why: '`no-such-program` is not on the PATH' }],
      ['unfound', { kind: 'failed', why: '`no-such-program` is not on the PATH' }],
      ['plainFile', { kind: 'failed', why: `${import.meta.filename} is not executable` }],
      ['none', { kind: 'failed', why: expect.stringContaining('neither a command nor a url') }],
      ['good', { kind: 'ready' }],
    ])
    expect(servers.tools.length).toBeGreaterThan(0)
  })

  it('is closed with what it has started', async () => {
    const token = `602.${process.pid}${Math.random().toString().slice(2, 8)}`
    const { command, args } = STDIO_SERVER
    const servers = await started({
      s: { command: 'sh', args: ['-c', `sleep ${token} & exec "$0" "$@"`, command, ...args] },
    })
    const sleeps = () =>
      execFileSync('ps', ['-A', '-o', 'stat=,args='], { encoding: 'utf8' }).includes(`sleep ${token}`)
    expect([servers.reports[0]?.state.kind, sleeps()]).toEqual(['ready', true])
    await servers.close()
    expect(sleeps()).toBe(false)
  })

  it('that fails with the value of a variable in its words is reported with the name of the variable', async () => {
    const args = ['-e', 'console.error("bad key " + process.env.KEY); process.exit(1)']
    const leaking = { command: process.execPath, args, env: { KEY: 's3cret' }, fromEnvironment: { MY_KEY: 's3cret' } }
    const servers = await started({ leaking })
    expect(servers.reports[0]?.state).toMatchObject({ why: expect.stringContaining(`bad key \${MY_KEY}`) })
    expect(JSON.stringify(servers.reports)).not.toContain('s3cret')
  })
})

it('an MCP server over streamable HTTP answers, with the headers of the settings', async () => {
  const { url, headers } = await httpServer()
  const servers = await started({ web: { url, headers: { 'X-Key': 'k' } } })
  expect(await call(servers, 'web__echo', { said: 'over HTTP' })).toEqual({ text: 'echo: over HTTP' })
  expect(headers.every((each) => each['x-key'] === 'k')).toBe(true)
})

it('an MCP server that has no tools, as it has other things, is ready', async () => {
  const { url } = await httpServer(() => undefined)
  const servers = await started({ prompts: { url } })
  expect(servers.reports).toMatchObject([{ name: 'prompts', state: { kind: 'ready' } }])
  expect(servers.tools).toEqual([])
})

it('a server that is turned off is not there, and one that is there is not added again', async () => {
  const missing = { command: 'no-such-program' }
  const servers = await started({ off: { ...missing, disabled: true }, one: missing })
  const [before] = servers.reports
  servers.add({ one: missing, two: missing })
  await servers.ready(never)
  expect(servers.reports.map(({ name, tools }) => [name, tools])).toEqual([
    ['one', []],
    ['two', []],
  ])
  expect(servers.reports[0]?.state).toBe(before?.state)
})
