import { describe, expect, it } from 'vitest'
import { shortSessionId } from '../../../../src/contract/shapes/agent-id.ts'
import type { MachineMemories } from '../../../../src/server/sessions/project-memories.ts'
import { LOCAL_OWNER } from '../../../../src/store/store.ts'
import { ran, read, said } from '../../../study/memory/worked-session.ts'
import { type Json, type ServerWorld, serverWorld, TOKENS } from '../../support/world.ts'

const OTHER = { token: TOKENS[2].token }
const RULE = 'Always write prices in cents.'

/** One of each session: two sessions that end in the same millisecond would have no order. */
let minute = Date.now() - 3_600_000

/** A session of an owner in a folder, in which the user says something and the tests pass. */
async function worked({ store }: ServerWorld, owner: string, workspace: string, words: string): Promise<string> {
  const { id } = await store.createSession({ owner, workspace })
  const messages = [...said(words), ...read('src/till.ts'), ...ran('npm test')]
  minute += 60_000
  await store.append(
    id,
    messages.map((message) => ({ type: 'message', message })),
    { times: messages.map(() => minute) },
  )
  return id
}

/** The memory once all sessions are read. */
async function memory({ ask }: ServerWorld, folder: string, more?: { token: string }): Promise<Json> {
  for (;;) {
    const { status, body } = await ask('GET', `/v1/memory?folder=${encodeURIComponent(folder)}`, undefined, more)
    if (status !== 200 || body.waiting === 0) return body
  }
}

describe('the memory of a project over HTTP', () => {
  it('has rows that name the session and the entry that show them, and the page as text', async () => {
    const world = await serverWorld()
    const first = await worked(world, LOCAL_OWNER, '/shop', RULE)
    const second = await worked(world, LOCAL_OWNER, '/shop', 'Go on.')
    const body = await memory(world, '/shop')
    expect(body).toMatchObject({ project: 'shop', sessions: 2, waiting: 0 })
    expect(body.rows).toMatchObject([
      { section: 'rules', text: `“${RULE}”`, session_id: first, seq: 1 },
      { section: 'commands', text: 'test: `npm test`, passed in 2 sessions', session_id: second, seq: 4 },
      { section: 'places', text: 'src/: till.ts', seq: 2 },
    ])
    expect(body.text).toContain(`${shortSessionId(first)}#1)`)
    expect(body.tokens).toBeLessThanOrEqual(2_000)
  })

  it('follows what is said and redacted later', async () => {
    const world = await serverWorld()
    const id = await worked(world, LOCAL_OWNER, '/shop', RULE)
    expect((await memory(world, '/shop')).text).toContain('cents')
    await world.store.append(id, [{ type: 'message', message: { role: 'user', content: 'Never use a bare float.' } }])
    expect((await memory(world, '/shop')).text).toContain('bare float')
    await world.ask('POST', `/v1/sessions/${id}/redact`, { seq: 1 })
    const { text } = await memory(world, '/shop')
    expect([text.includes('cents'), text.includes('bare float')]).toEqual([false, true])
  })

  it('is never made from sessions of another owner, nor of another folder', async () => {
    const world = await serverWorld()
    await worked(world, LOCAL_OWNER, '/shop', RULE)
    await worked(world, LOCAL_OWNER, '/shop/tools', 'Never use tabs here.')
    await worked(world, 'other', '/shop', 'Always answer in French.')
    const [mine, theirs] = [await memory(world, '/shop'), await memory(world, '/shop', OTHER)]
    expect(mine.rows.filter((row: Json) => row.section === 'rules')).toMatchObject([{ text: `“${RULE}”` }])
    expect(theirs.rows.filter((row: Json) => row.section === 'rules')).toMatchObject([
      { text: '“Always answer in French.”' },
    ])
    expect([mine.sessions, theirs.sessions]).toEqual([1, 1])
    expect(JSON.stringify(theirs)).not.toMatch(/cents|tabs/)
    expect(await memory(world, '/shop/tools', OTHER)).toMatchObject({ error: { code: 'unknown-folder' } })
  })

  it('has the files of agents and the pins of this machine for its owner alone', async () => {
    const page = {
      text: 'of the machine',
      tokens: 5,
      rows: [{ text: 'Mine. (pinned 2026-03-02)', lines: [], pinned: 'Mine.' }],
    }
    const asked: string[] = []
    const machineMemories: MachineMemories = {
      projects: async () => ({ projects: [{ name: 'till', folder: '/till', sessions: 3, updatedAt: 7 }], waiting: 2 }),
      of: async (_, folder) => {
        asked.push(folder)
        if (folder !== '/till') return undefined
        return { project: 'till', memory: { sessions: 3, upTo: 7 }, page, sessionOf: () => undefined, waiting: 2 }
      },
      close: async () => {},
    }
    const world = await serverWorld({ machineMemories })
    await worked(world, 'other', '/till', RULE)
    expect((await world.ask('GET', '/v1/memory?folder=/till')).body).toMatchObject({
      text: 'of the machine',
      rows: [{ section: 'pinned', text: 'Mine.', at: Date.parse('2026-03-02') }],
      waiting: 2,
    })
    expect((await world.ask('GET', '/v1/projects')).body).toEqual({
      projects: [{ name: 'till', folder: '/till', sessions: 3, updated_at: 7 }],
      waiting: 2,
    })
    const theirs = await memory(world, '/till', OTHER)
    expect(JSON.stringify(theirs)).not.toMatch(/machine|Mine/)
    expect(asked).toEqual(['/till'])
    const { projects } = (await world.ask('GET', '/v1/projects', undefined, OTHER)).body
    expect(projects).toMatchObject([{ name: 'till', folder: '/till', sessions: 1 }])
  })

  it('lists the projects of an owner, the most recently used first', async () => {
    const world = await serverWorld()
    await worked(world, LOCAL_OWNER, '/shop', RULE)
    await worked(world, LOCAL_OWNER, 'C:\\work\\till', 'Go on.')
    await worked(world, LOCAL_OWNER, '', 'Nowhere.')
    await worked(world, 'other', '/secret', 'Go on.')
    const { projects, waiting } = (await world.ask('GET', '/v1/projects')).body
    expect(projects.map((each: Json) => [each.name, each.folder, each.sessions]).toSorted()).toEqual([
      ['shop', '/shop', 1],
      ['till', 'C:\\work\\till', 1],
    ])
    expect(waiting).toBe(0)
  })

  it('refuses a folder that is missing, relative or unknown, in one line', async () => {
    const { ask } = await serverWorld()
    const refusal = async (query: string) => {
      const { status, body } = await ask('GET', `/v1/memory${query}`)
      return `${status} ${body.error.message}`
    }
    expect(await refusal('')).toBe('400 folder in the query is missing: it takes a text')
    expect(await refusal('?folder=src')).toBe('400 folder in the query must be an absolute path')
    expect(await refusal('?folder=/etc')).toBe(
      '404 this token has no session in that folder: GET /v1/projects lists them',
    )
  })

  it('is not shown by a link to one session', async () => {
    const world = await serverWorld()
    const id = await worked(world, LOCAL_OWNER, '/shop', RULE)
    const { path } = (await world.ask('POST', `/v1/sessions/${id}/links`, { hours: 1 })).body
    const token = String(path).split('=')[1] ?? ''
    expect((await world.ask('GET', `/v1/sessions/${id}`, undefined, { token })).status).toBe(200)
    for (const asked of ['/v1/memory?folder=/shop', '/v1/projects'])
      expect((await world.ask('GET', asked, undefined, { token })).status).toBe(403)
  })
})
