import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Message } from '../../../src/model/types.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { fileToken } from '../../server/support/file-token.ts'
import { serverHome } from '../../server/support/processes.ts'
import { user } from '../../support/messages.ts'
import { startModelServer } from '../../support/model-server/index.ts'

describe('MCP under pith serve', () => {
  let served: Awaited<ReturnType<typeof startWorld>>
  beforeAll(async () => {
    served = await startWorld()
  })
  afterAll(() => served.end())

  it('recalls, pins and shows the context of the newest session of the token’s owner', async () => {
    const { store, connect } = served
    await store('alice', [user('Think of the heron of the lake.')])
    const id = await store('alice', [user('Think of the reeds.')])
    await store('bob', [user('Think of the newt.')])
    const client = await connect('alice')
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['recall', 'context', 'pin'])
    expect(await called(client, 'recall', { handles: '#1' })).toMatch(
      new RegExp(
        `^Session ${id} of Pith.* \\(the newest of alice\\)\n\n#1 \\(user\\)\n\\[User\\]: Think of the reeds\\.`,
      ),
    )
    expect(await called(client, 'context', {})).toContain('What fills it')
    expect(await called(client, 'pin', { handle: '#1' })).toContain('#1 stays word for word')
  })

  it('shows the sessions of another owner in no way', async () => {
    const { store, connect } = served
    const id = await store('alice', [user('Think of the heron of the lake.')])
    await store('bob', [user('Think of the newt.')])
    const client = await connect('bob')
    expect(await called(client, 'recall', { search: 'heron', scope: 'everything' })).toContain('Nothing was found')
    expect(await called(client, 'recall', { search: 'heron', scope: 'folder' })).toContain('Nothing was found')
    expect(await called(client, 'recall', { handles: '#1', session: id })).toContain(`there is no session ${id}: `)
    expect(await called(client, 'recall', { handles: '#1' })).toContain('newt')
  })

  it('lets a token that may only read recall, and neither pin nor unpin', async () => {
    const { store, connect } = served
    await store('alice', [user('Think of the heron of the lake.')])
    await called(await connect('alice'), 'pin', { handle: '#1' })
    const client = await connect('reader')
    expect(await called(client, 'recall', { search: 'HERON' })).toContain('#1 (user, ')
    expect(await called(client, 'pin', { handle: '#1' })).toBe('the token reader may only read')
    expect(await called(client, 'pin', { handle: '#1', on: false })).toBe('the token reader may only read')
  })

  it('takes the session of the folder that its address names', async () => {
    const { store, connect } = served
    await store('carol', [user('Think of the heron of the lake.')], '/projects/heron')
    await store('carol', [user('Think of the reeds.')], '/projects/reeds')
    const client = await connect('carol', '?workspace=%2Fprojects%2Fheron')
    expect(await called(client, 'recall', { handles: '#1' })).toContain('heron')
    expect(await called(client, 'recall', { search: 'Think', scope: 'folder' })).not.toContain('reeds')
    expect(await called(client, 'recall', { search: 'Think', scope: 'everything' })).toContain('reeds')
  })

  it('asks a client that names no folder for one, if its owner works in several', async () => {
    const { store, connect } = served
    await store('erin', [user('Think of the heron of the lake.')], '/projects/heron')
    const client = await connect('erin')
    expect(await called(client, 'recall', { handles: '#1' })).toContain('heron')
    await store('erin', [user('Think of the reeds.')], '/projects/reeds')
    for (const args of [{ handles: '#1' }, { search: 'Think' }, { search: 'Think', scope: 'folder' }])
      expect(await called(client, 'recall', args)).toMatch(/several folders here.*workspace=/)
    expect(await called(client, 'recall', { search: 'Think', scope: 'everything' })).toContain('heron')
  })

  it('refuses a client without a token, a page of another origin, and the connection of another token', async () => {
    const { connect, url, tokens } = served
    const post = (headers: Record<string, string>) =>
      fetch(`${url}/mcp`, {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      })
    const bearer = (name: string) => ({ authorization: `Bearer ${tokens.get(name)}` })
    expect((await post({})).status).toBe(401)
    expect((await post({ authorization: 'Bearer pith_wrong_wrong_wrong_wrong' })).status).toBe(401)
    expect((await post({ ...bearer('alice'), origin: 'https://example.com' })).status).toBe(403)
    const { transport } = await connected(connect('alice'))
    const session = { 'mcp-session-id': transport.sessionId ?? '' }
    expect((await post({ ...bearer('alice'), ...session })).status).toBe(200)
    expect((await post({ ...bearer('bob'), ...session })).status).toBe(404)
    expect((await post({ ...bearer('alice'), 'mcp-session-id': 'gone' })).status).toBe(404)
  })

  it('stops at once although a client waits for what may come', async () => {
    const { connect, server } = served
    await connect('alice')
    server.signal('SIGTERM')
    expect(await server.ended).toMatchObject({ code: 0 })
  })
})

/** One server for all tests: each has sessions of an owner of its own. */
async function startWorld() {
  const model = await startModelServer({ brain: () => ({ text: 'ok' }) })
  const folder = mkdtempSync(join(tmpdir(), 'pith-serve-mcp-'))
  const path = join(folder, 'pith.db')
  const home = serverHome(path, model)
  const named = [
    { name: 'alice', access: 'write' },
    { name: 'bob', access: 'write' },
    { name: 'carol', access: 'write' },
    { name: 'dave', access: 'write' },
    { name: 'erin', access: 'write' },
    { name: 'reader', access: 'read', owner: 'alice' },
  ] as const
  const tokens = new Map(named.map((each) => [each.name as string, fileToken(home.folder, each).secret]))
  const server = await home.start(['--quiet'])
  const opened = await openStore(path)
  return {
    end: async () => {
      await home.stop()
      await opened.close()
      await model.close()
      rmSync(folder, { recursive: true, force: true })
    },
    server,
    url: server.url,
    tokens,
    store: async (owner: string, messages: readonly Message[], workspace = '/projects') => {
      const { id } = await opened.createSession({ owner, workspace })
      await opened.append(
        id,
        messages.map((message) => ({ type: 'message' as const, message })),
      )
      // Of two sessions of one millisecond none is the newest.
      for (const now = Date.now(); Date.now() === now; ) await nextTurn()
      return id
    },
    connect: async (name: string, query = '') => {
      const requestInit = { headers: { authorization: `Bearer ${tokens.get(name)}` } }
      const client = new Client({ name: 'test', version: '1' })
      await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp${query}`), { requestInit }))
      onTestFinished(() => client.close())
      return client
    },
  }
}

async function connected(connecting: Promise<Client>): Promise<{ transport: StreamableHTTPClientTransport }> {
  const { transport } = await connecting
  if (!(transport instanceof StreamableHTTPClientTransport)) throw new Error('another transport')
  return { transport }
}

async function called(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args })
  return (content as { text: string }[]).map(({ text }) => text).join('\n')
}
