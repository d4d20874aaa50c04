import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { methods, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { openStore } from '../../../src/store/open-store.ts'
import { call } from '../../gateway/support/world.ts'
import { serverHome } from '../../server/support/processes.ts'
import { asEditor, type Choose, type Editor } from '../../support/acp-editor.ts'
import { startModelServer } from '../../support/model-server/index.ts'
import { hasPython, NO_PYTHON, readElsewhere } from '../../support/other-reader.ts'
import { type RunWorld, runWorld } from '../../support/run-world.ts'
import { calling, scriptedBrain } from '../../support/scripted-brain.ts'
import { ready } from '../../tui/support/fixture.ts'
import { realProgram } from '../../tui/support/real-program.ts'
import { replies } from '../../tui/support/talk.ts'
import { hasTmux, NO_TMUX } from '../../tui/support/tmux.ts'

if (!hasPython) console.warn(NO_PYTHON)
if (!hasTmux) console.warn(NO_TMUX)

/** The entries of a database, as text. The database and the index of other agents’ files next to it have to be sound. */
function saidIn(folder: string): string {
  const [text = ''] = ['pith.db', 'agent-index.db'].map((name) => {
    if (!existsSync(join(folder, name))) return ''
    const database = new DatabaseSync(join(folder, name))
    try {
      expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
      if (name !== 'pith.db') return ''
      return database
        .prepare('SELECT body FROM entries ORDER BY session_id, seq')
        .all()
        .map(({ body }) => body)
        .join()
    } finally {
      database.close()
    }
  })
  return text
}

/** Another program reads the databases in a folder and closes them. */
function readAll(folder: string): void {
  for (const name of ['pith.db', 'agent-index.db'])
    if (existsSync(join(folder, name))) readElsewhere(join(folder, name))
}

const TEXTS = Array.from({ length: 5 }, (_, i) => `said afterwards ${i}`)

describe.skipIf(!hasPython)('what is stored after another program has read the database is kept', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'by the server with the memory of a project open, ended by %s',
    async (signal) => {
      const model = await startModelServer({ brain: replies() })
      onTestFinished(() => model.close())
      const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pith-kept-')))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      const before = await openStore(join(folder, 'pith.db'))
      const { id } = await before.createSession({ owner: 'local', workspace: '/repo/app' })
      await before.close()
      const home = serverHome(join(folder, 'pith.db'), model)
      onTestFinished(() => home.stop())
      const server = await home.start()
      const say = (content: string) =>
        server.ask('POST', `/v1/sessions/${id}/messages`, {
          messages: [{ message: { role: 'user', content } }],
        })
      expect((await say('said first')).status).toBe(201)
      const memory = '/v1/memory?folder=/repo/app'
      expect((await server.ask('GET', memory)).status).toBe(200)
      for (const place of [folder, home.folder]) readAll(place)
      for (const text of TEXTS) expect((await say(text)).status).toBe(201)
      server.signal(signal)
      await server.ended
      for (const text of ['said first', ...TEXTS]) expect(saidIn(folder)).toContain(text)
    },
  )

  it('by the gateway', async () => {
    const world = await runWorld({ brain: ({ messages }) => ({ text: `Answer ${messages.length}.` }) })
    const { child, url } = await startGateway(world)
    const say = (...texts: string[]) => {
      const messages = texts.map((content, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content }))
      const headers = { 'content-type': 'application/json', 'x-api-key': 'key', 'anthropic-version': '2023-06-01' }
      const body = JSON.stringify({ model: 'pith-test', max_tokens: 100, stream: true, messages })
      return call(`${url}/v1/messages`, { body, headers })
    }
    const folder = world.env.PITH_HOME ?? ''
    await say('said first')
    await expect.poll(() => saidIn(folder)).toContain('Answer 1.')
    await world.here('memory')
    readAll(folder)
    await say('said first', 'Answer 1.', 'said afterwards')
    await expect.poll(() => saidIn(folder)).toContain('Answer 3.')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(saidIn(folder)).toContain('said afterwards')
  })

  it('by the agent in an editor', async () => {
    const world = await runWorld({ brain: replies('Understood.') })
    const folder = world.env.PITH_HOME ?? ''
    await asEditor(
      world,
      () => undefined,
      async (editor) => {
        const { say } = await talkingTo(editor, world.workspace)
        await say('said first')
        readAll(folder)
        await say('said afterwards')
        process.kill(editor.pid, 'SIGKILL')
      },
    )
    for (const text of ['said first', 'said afterwards']) expect(saidIn(folder)).toContain(text)
  })

  it('by an agent that was asked to read its own database, and that keeps the workspace with it for /rewind', async () => {
    const steps = [
      calling('read', { path: 'pith.db' }),
      calling('bash', { command: 'echo new > new.txt' }),
      { text: 'I looked.' },
      calling('bash', { command: 'echo newer > new.txt' }),
      { text: 'I looked again.' },
    ]
    const world = await runWorld({ brain: scriptedBrain({ steps }) })
    const { workspace } = world
    const env = { ...world.env, PITH_STORE: join(workspace, 'pith.db') }
    const first: Choose = ({ options }) => options[0]?.optionId
    await asEditor({ ...world, env }, first, async (editor) => {
      const { say } = await talkingTo(editor, workspace)
      await say('said first')
      readAll(workspace)
      await say('said afterwards')
      expect(JSON.stringify(editor.updates)).toContain('it is a database that Pith has open')
      process.kill(editor.pid, 'SIGKILL')
    })
    for (const text of ['said first', 'said afterwards', 'I looked again.']) expect(saidIn(workspace)).toContain(text)
  })

  it.skipIf(!hasTmux)('by the terminal', async () => {
    const { at } = await ready(replies('A reply.'))
    const folder = at.env.PITH_HOME ?? ''
    const { terminal, pid } = realProgram(at)
    await terminal.sees('%')
    terminal.type('said first')
    terminal.press('Enter')
    await terminal.sees('A reply.')
    readAll(folder)
    terminal.type('said afterwards')
    terminal.press('Enter')
    await terminal.sees(/A reply\.[\s\S]*A reply\./)
    process.kill(pid(), 'SIGKILL')
    await terminal.sees('left with 137')
    for (const text of ['said first', 'said afterwards']) expect(saidIn(folder)).toContain(text)
  })
})

/** Opens a session as an editor does. */
async function talkingTo({ agent }: Editor, cwd: string) {
  await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} })
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] })
  const say = (text: string) =>
    agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] })
  return { say }
}

async function startGateway({ server, workspace, home, env }: RunWorld) {
  const args = [inject('program'), 'gateway', '--port', '0', '--mode', 'observe', '--upstream', `local=${server.url}`]
  const child = spawn(process.execPath, args, {
    cwd: workspace,
    env: { PATH: process.env.PATH, HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  for await (const text of child.stdout) {
    printed += text
    const url = /^ +local +(http\S+)\n/m.exec(printed)?.[1]
    if (url !== undefined) return { child, url }
  }
  throw new Error(`the gateway ended: ${printed}`)
}
