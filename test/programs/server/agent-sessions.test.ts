import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { decodeText } from '../../../src/formats/index.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { pith } from '../../support/cli.ts'
import { configFolders } from '../../support/config-folders.ts'
import { addOpencodeMessage, makeOpencodeDatabase, type OpencodeExport } from '../../support/opencode-database.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures/formats')
const CLAUDE = 'agent:claude-code:5f0c8a52-2f6b-4a3e-9a55-0d6d7c1c0001'
const OPENCODE: OpencodeExport = JSON.parse(readFileSync(join(FIXTURES, 'opencode.json'), 'utf8'))

/** A server on a machine with one session each of Claude Code and opencode. */
async function machine() {
  const folders = configFolders()
  const file = join(folders.home, '.claude/projects/-repo/5f0c8a52-2f6b-4a3e-9a55-0d6d7c1c0001.jsonl')
  mkdirSync(join(file, '..'), { recursive: true })
  copyFileSync(join(FIXTURES, 'claude-code.jsonl'), file)
  const database = join(folders.home, '.local/share/opencode/opencode.db')
  makeOpencodeDatabase(database, OPENCODE)
  const token = (await pith(folders, ['serve', 'token', 'add', 'owner', '--owner', 'local'])).stdout.trim()
  const other = (await pith(folders, ['serve', 'token', 'add', 'other'])).stdout.trim()
  const child = spawn(process.execPath, [inject('program'), 'serve', '--port', '0', '--quiet'], {
    cwd: folders.workspace,
    env: { PATH: process.env.PATH, HOME: folders.home, ...folders.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => ended(child))
  const { origin } = new URL(/http:\S+/.exec(await firstLine(child))?.[0] ?? '')
  const ask = (path: string, { method = 'GET', secret = token, body }: Ask = {}) =>
    fetch(`${origin}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${secret}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
  return { folders, file, database, other, ask }
}

type Ask = { readonly method?: string; readonly secret?: string; readonly body?: unknown }

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) return ''
  for await (const line of createInterface({ input: stdout })) return line
  return ''
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

/** Reads events until one has these words. */
async function untilSaid(answer: Response, words: string): Promise<void> {
  let seen = ''
  for await (const chunk of answer.body ?? []) {
    seen += Buffer.from(chunk).toString('utf8')
    if (seen.includes(words)) return
  }
}

const path = (id: string, more = '') => `/sessions/${encodeURIComponent(id)}${more}`

describe('pith serve on a machine with other agents', () => {
  it('lists their sessions only to the owner of the machine, changes nothing of theirs, and shows them as they grow', async () => {
    const { file, database, other: secret, ask } = await machine()
    const { sessions } = (await (await ask('/agent-sessions')).json()) as { sessions: { id: string }[] }
    const opencode = `agent:opencode:${OPENCODE.info.id}`
    expect(sessions.map(({ id }) => id).toSorted()).toEqual([CLAUDE, opencode].toSorted())
    expect(await (await ask(path(CLAUDE))).json()).toMatchObject({
      id: CLAUDE,
      workspace: '/repo',
      status: { tokens: expect.any(Number) },
    })
    const before = readFileSync(file)
    for (const [method, more, body] of [
      ['POST', '/compact', {}],
      ['POST', '/messages', { messages: [{ message: { role: 'user', content: 'x' } }] }],
      ['PATCH', '', { title: 'x' }],
      ['DELETE', '', undefined],
    ] as const) {
      const answer = await ask(path(CLAUDE, more), { method, body })
      expect([method, more, answer.status]).toEqual([method, more, 403])
      expect(await answer.text()).toContain('can only be read here')
    }
    expect(readFileSync(file)).toEqual(before)
    expect((await ask('/agent-sessions', { secret })).status).toBe(403)
    expect((await ask(path(CLAUDE), { secret })).status).toBe(404)
    expect((await ask(path(CLAUDE, '/entries'), { secret })).status).toBe(404)
    expect((await ask(`/statuses?sessions=${encodeURIComponent(CLAUDE)}`, { secret })).status).toBe(200)
    expect(await (await ask(`/statuses?sessions=${encodeURIComponent(CLAUDE)}`, { secret })).json()).toEqual({
      statuses: [],
    })
    const stream = await ask(path(CLAUDE, '/events?after=0'))
    const line = { parentUuid: 'a8', isSidechain: false, cwd: '/repo', sessionId: 's', type: 'user', uuid: 'u99' }
    const message = { role: 'user', content: 'Typed while the page was open.' }
    appendFileSync(file, `${JSON.stringify({ ...line, message, timestamp: '2026-03-01T11:00:00.000Z' })}\n`)
    await untilSaid(stream, 'Typed while the page was open.')
    const others = await ask(path(opencode, '/events?after=0'))
    const said = { id: 'msg_zz', role: 'user', time: { created: 1_772_400_000_000 } }
    const words = { id: 'prt_zz', type: 'text', text: 'Said to opencode just now.' }
    addOpencodeMessage(database, OPENCODE.info.id, { info: said, parts: [words] })
    await untilSaid(others, 'Said to opencode just now.')
  })

  it('does not list a session that a gateway has recorded, too', async () => {
    const { folders, file, ask } = await machine()
    const read = decodeText(readFileSync(file, 'utf8'))
    const messages = read.ok ? read.session.entries.filter((entry) => entry.type === 'message') : []
    const store = await openStore(join(folders.env.PITH_HOME ?? '', 'pith.db'))
    const { id } = await store.createSession({ owner: 'local', workspace: '/repo' })
    const drafts = messages.map(({ message }) => ({ type: 'message' as const, message }))
    await store.append(id, drafts, { chain: { holder: 'host:1', values: messages.map((_, i) => `value ${i}`) } })
    await store.close()
    // Both agents have the same conversation.
    expect(await (await ask('/agent-sessions')).json()).toEqual({ sessions: [] })
  })
})
