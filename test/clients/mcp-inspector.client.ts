import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { openStore } from '../../src/store/open-store.ts'
import { serverHome } from '../server/support/processes.ts'
import { user } from '../support/messages.ts'
import { startModelServer } from '../support/model-server/index.ts'

const PACKAGE = '@modelcontextprotocol/inspector@2.12.0'

/** The protocol's own client, in its command-line form. */
describe('the MCP inspector', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pith-inspector-'))
  let program: string
  beforeAll(() => {
    const given = join(process.env.PITH_AGENTS ?? '', 'node_modules/.bin/mcp-inspector')
    program = existsSync(given) ? given : installed(folder)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('lists and calls the tools of pith mcp', async () => {
    const { home, id } = await world()
    const ask = asker([process.execPath, inject('program'), 'mcp'], home)
    expect(ask('tools/list').tools.map(({ name }: { name: string }) => name)).toEqual([
      'recall',
      'context',
      'pin',
      'memory',
    ])
    const { content } = ask(
      'tools/call',
      '--tool-name',
      'recall',
      '--tool-arg',
      'handles=#1',
      '--tool-arg',
      `session=${id}`,
    )
    expect(content[0].text).toContain('Think of the heron of the lake.')
  })

  it('does the same over HTTP under pith serve, with a token', async () => {
    const { home, server, id } = await world()
    const ask = asker([`${server.url}/mcp`, '--header', `Authorization: Bearer ${server.token}`], home)
    expect(ask('tools/list').tools).toHaveLength(3)
    const { content } = ask('tools/call', '--tool-name', 'recall', '--tool-arg', 'search=heron')
    expect(content[0].text).toMatch(new RegExp(`^Session ${id}.*\n\n#1 \\(user, [^)]*\\):\n {2}Think of the heron`))
  })

  /** Asks a server; the answer is the JSON that the inspector prints. */
  function asker(target: readonly string[], home: string) {
    const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
    return (method: string, ...more: readonly string[]) => {
      const env = { PATH, HOME: home, PITH_HOME: home }
      const args = ['--cli', ...target, '-e', `PITH_HOME=${home}`, '--method', method, ...more]
      return JSON.parse(execFileSync(program, args, { cwd: home, env, encoding: 'utf8', timeout: 120_000 }))
    }
  }
})

function installed(folder: string): string {
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', PACKAGE]
  execFileSync('npm', args, { cwd: folder, stdio: 'pipe', timeout: 300_000 })
  return join(folder, 'node_modules/.bin/mcp-inspector')
}

async function world() {
  const model = await startModelServer({ brain: () => ({ text: 'ok' }) })
  onTestFinished(() => model.close())
  const folder = mkdtempSync(join(tmpdir(), 'pith-inspected-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'pith.db')
  const home = serverHome(path, model)
  onTestFinished(() => home.stop())
  const store = await openStore(path)
  const { id } = await store.createSession({ owner: 'local', workspace: home.folder })
  await store.append(id, [{ type: 'message', message: user('Think of the heron of the lake.') }])
  await store.close()
  return { id, home: home.folder, server: await home.start(['--quiet']) }
}
