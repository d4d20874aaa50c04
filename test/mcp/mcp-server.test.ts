import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { logOf } from '../../src/engine/context/view/log.ts'
import { ANSWER_TOKENS, type FoundSession, type SessionFinder } from '../../src/mcp/found-session.ts'
import { McpOverHttp } from '../../src/mcp/mcp-over-http.ts'
import { mcpServer } from '../../src/mcp/mcp-server.ts'
import type { Message } from '../../src/model/types.ts'
import { NOTHING_FOUND, searchLog } from '../../src/search/hits.ts'
import { featureEstimator } from '../../src/tokens/estimate/feature-estimator.ts'

describe('the MCP server', () => {
  it('describes itself to a model in less than 600 tokens', async () => {
    const client = await connect([])
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['recall', 'context', 'pin'])
    expect(featureEstimator.text(JSON.stringify(tools) + client.getInstructions())).toBeLessThan(600)
  })

  it('names an entry that cannot be read', async () => {
    const damaged = [{ seq: 2, reason: 'no JSON' }]
    const one = session('one', [{ role: 'user', content: 'Said' }])
    const client = await connect([{ ...one, read: async () => ({ ...(await one.read()), damaged }) }])
    const text = 'Entry #2 is damaged and cannot be read (no JSON).'
    expect(await called(client, 'recall', { handles: '#2' })).toContain(text)
    expect(await called(client, 'recall', { handles: '#1-#2' })).toMatch(
      /#1 \(user\)\n\[User\]: Said\n\nEntry #2 is damaged/,
    )
    expect(await called(client, 'recall', { handles: '#1' })).not.toContain('damaged')
  })

  it('over HTTP, ends a connection that nobody uses soon after its token has ended', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const mcp = new McpOverHttp({ version: '1' })
    onTestFinished(() => mcp.close())
    let isKnown = true
    const finder: SessionFinder = {
      current: async () => undefined,
      named: async () => undefined,
      search: async () => ({ ...NOTHING_FOUND, sessions: new Map() }),
    }
    const ask = (init: RequestInit) =>
      mcp.answer(new Request('http://localhost/mcp', init), { key: 'ann', isKnown: () => isKnown }, () => finder)
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
    const opened = await ask({ method: 'POST', headers, body })
    const own = { ...headers, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
    const idle = await ask({ method: 'GET', headers: own })
    expect(idle.status).toBe(200)
    isKnown = false
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await idle.text()).not.toContain('data:')
    expect((await ask({ method: 'GET', headers: own })).status).toBe(404)
  })

  it('offers the memory of a project as a tool and a resource where there is one', async () => {
    const client = await connect([], undefined, () => '# Memory of the project work')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['recall', 'context', 'pin', 'memory'])
    expect(tools.at(-1)?.annotations).toMatchObject({ readOnlyHint: true })
    expect(featureEstimator.text(JSON.stringify(tools) + client.getInstructions())).toBeLessThan(690)
    expect(await called(client, 'memory', {})).toBe('# Memory of the project work')
    const [{ uri = '' } = {}] = (await client.listResources()).resources
    expect((await client.readResource({ uri })).contents).toMatchObject([{ text: '# Memory of the project work' }])
    await expect(client.readResource({ uri: 'pith://other' })).rejects.toThrow('there is no resource pith://other')
  })

  it('offers to change the context only through a gateway, in less than 250 tokens', async () => {
    const plain = await connect([])
    const asked: unknown[] = []
    const client = await connect([], undefined, undefined, async (...request) => {
      asked.push(request)
      return 'Done.'
    })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['recall', 'context', 'pin', 'change_context'])
    expect(tools.at(-1)?.annotations).toMatchObject({ readOnlyHint: false })
    expect(featureEstimator.text(JSON.stringify(tools.at(-1)))).toBeLessThan(250)
    expect(await called(client, 'change_context', { action: 'drop', part: '#2' })).toBe('Done.')
    expect(await called(client, 'change_context', { action: 'compact', focus: 'the door' })).toBe('Done.')
    expect(asked).toEqual([
      ['change_context', { action: 'drop', part: '#2' }],
      ['change_context', { action: 'compact', focus: 'the door' }],
    ])
    await expect(called(client, 'change_context', { action: 'drop' })).rejects.toThrow('change_context: give the part')
    await expect(called(plain, 'change_context', { action: 'drop', part: '#2' })).rejects.toThrow('there is no tool')
  })

  it('answers handles that name their session, as a memory writes them', async () => {
    const client = await connect([
      session('aaaa1111', [{ role: 'user', content: 'Here.' }]),
      session('bbbb2222', [{ role: 'user', content: 'There.' }]),
    ])
    const text = await called(client, 'recall', { handles: 'bbbb2222#1' })
    expect(text).toContain('There.')
    expect(text).toContain('Session bbbb2222')
  })

  it.each([
    ['words', Array.from({ length: 9_000 }, (_, i) => `word${i}`).join(' ')],
    ['characters of other scripts', '終わりのない話🙂'.repeat(3_000)],
    ['control characters', 'a\u001b[31m\u0000\u202e'.repeat(4_000)],
  ])('gives a long entry of %s in pages within the budget that join to the whole', async (_, said) => {
    const client = await connect([session('one', [{ role: 'user', content: said }])])
    let [offset, pages, joined] = [0, 0, '']
    for (let isMore = true; isMore; pages++) {
      const text = await called(client, 'recall', { handles: '#1', offset })
      expect(featureEstimator.text(text)).toBeLessThanOrEqual(ANSWER_TOKENS)
      expect(text).not.toMatch(/[^\P{Cc}\n\t]|\u202e/u)
      const body = text.slice(text.indexOf('#1 (user)\n') + 10)
      const next = /\n\n\(\d+ characters of #1 follow: recall it alone with offset (\d+)\)$/.exec(body)
      joined += next === null ? body : body.slice(0, next.index)
      offset = Number(next?.[1])
      isMore = next !== null
    }
    expect(pages).toBeGreaterThan(2)
    const codes = (text: string) => text.replaceAll('\u001b', '\\u001b').replaceAll('\u0000', '\\u0000')
    expect(joined).toContain(codes(said).replaceAll('\u202e', '\\u202e'))
  })

  it('finds words in any order and any case, and says what was searched if there are none', async () => {
    const client = await connect([
      session('one', [
        { role: 'user', content: 'Rename the table of users' },
        { role: 'assistant', content: 'I begin.' },
        { role: 'user', content: 'Go on' },
        { role: 'assistant', content: 'The table is renamed' },
      ]),
    ])
    expect(await called(client, 'recall', { search: 'USERS TABLE' })).toMatch(
      /^Session one of Tester \(here\)\n\n#1 \(user; next to #2\):\n {2}Rename the table of users\n#4 /,
    )
    expect(await called(client, 'recall', { search: 'tabel' })).toContain(
      'Nothing was found for `tabel` in 4 entries. Words that do occur: `table`. A wider `scope` looks further.',
    )
  })

  it('answers bad arguments with an error of the protocol in one line', async () => {
    const client = await connect([])
    const failed = (name: string, args: object) => called(client, name, args).catch((error: unknown) => error)
    const bad = (line: string) => ({ code: -32602, message: `MCP error -32602: ${line}` })
    const unknown = 'recall: unknown key `handels`, did you mean `handles`?'
    expect(await failed('recall', { handels: '#1' })).toMatchObject(bad(unknown))
    expect(await failed('recall', {})).toMatchObject(bad('recall: give either handles or search'))
    const handle = '`#x` is not a handle: write #12, or #12-#20 for a range'
    expect(await failed('recall', { handles: '#x' })).toMatchObject(bad(handle))
    expect(await failed('pin', { handle: 'a' })).toMatchObject(bad('pin: handle: write one handle, such as #12'))
    const tool = 'there is no tool other\\u001b: recall, context, pin'
    expect(await failed('other\u001b', {})).toMatchObject(bad(tool))
  })

  it('passes over the argument that Gemini CLI adds to every tool', async () => {
    const client = await connect([session('one', [{ role: 'user', content: 'Said' }])])
    expect(await called(client, 'recall', { handles: '#1', wait_for_previous: true })).toContain('Said')
  })

  it('answers with a result if a model can do something about it', async () => {
    const empty = await connect([])
    expect(await empty.callTool({ name: 'context' })).toMatchObject({ isError: true })
    const client = await connect([session('one', [{ role: 'user', content: 'One' }])])
    expect(await called(client, 'recall', { handles: '#9' })).toContain('has no entry #9: its entries are #1 to #1')
    const whole = session('two', [{ role: 'user', content: 'Go on' }])
    const later = async () => {
      const log = await whole.read()
      return { ...log, entries: log.entries.map((entry) => ({ ...entry, seq: 132 })) }
    }
    const handedOn = { ...whole, read: later }
    expect(await called(await connect([handedOn]), 'recall', { handles: '#91' })).toContain(
      'its entries are #132 to #132. Those before are in the session that this one goes on from',
    )
    expect(await called(client, 'recall', { handles: '#9' })).not.toContain('Those before')
    expect(await called(client, 'recall', { handles: '#1', session: 'other' })).toBe(
      'there is no session other: `search` with `scope: everything` names the sessions of its hits',
    )
    expect(await called(client, 'pin', { handle: '#1' })).toContain('which Pith never writes to')
  })

  it('says when the agent compacted last by itself, and not when its user did', async () => {
    const compacted = async (reason: 'threshold' | 'manual') => {
      const one = session('one', [{ role: 'user', content: 'Said' }])
      const log = await one.read()
      const entry = {
        ...{
          id: 'e2',
          seq: 2,
          at: 0,
          type: 'compaction' as const,
          from: 0,
          upTo: 1,
          keep: [],
          summary: 'They talked.',
        },
        ...{ frame: 'keen' as const, indexTokens: 0, userTokens: 0, indexDelta: {}, messages: 1, reason },
        ...{ rung: 'cold' as const, tokensBefore: 150_000, tokensAfter: 100 },
      }
      const read = async () => ({ ...log, entries: [...log.entries, entry] })
      return called(await connect([{ ...one, read }]), 'context', {})
    }
    expect(await compacted('threshold')).toContain(
      'Tester decides when it compacts: last time by itself at 150,000 tokens',
    )
    expect(await compacted('manual')).not.toContain('last time by itself')
  })

  it('reports how far a search is, and stops when the client cancels it', async () => {
    const one = session('session-0', [{ role: 'user', content: 'Hay' }])
    let isStopped = false
    const client = await connect([one], async (_, { text, limit, signal, progress }) => {
      if (text === 'needle') {
        progress(3, 50)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        isStopped = true
        signal.throwIfAborted()
      }
      const result = await searchLog((await one.read()).entries, text, { limit })
      return { ...result, sessions: new Map([['', { id: one.id, agent: 'Tester', title: 'Farm' }]]), left: 2 }
    })
    const stop = new AbortController()
    const params = { name: 'recall', arguments: { search: 'needle', scope: 'everything' } }
    const onprogress = ({ progress }: { progress: number }) => progress === 3 && stop.abort('enough')
    const search = client.callTool(params, undefined, { signal: stop.signal, onprogress })
    await expect(search).rejects.toThrow('enough')
    expect((await client.listTools()).tools).toHaveLength(3)
    expect(isStopped).toBe(true)
    const found = await called(client, 'recall', { search: 'hay', scope: 'everything' })
    expect(found).toContain(
      '1 entry of 1 of this machine matches, the best first\n\nsession session-0 (Tester, “Farm”):\n#1 (user):\n  Hay',
    )
    expect(found).toContain('2 session files are not indexed yet')
  })
})

function session(id: string, messages: readonly Message[]): FoundSession {
  const entries = logOf(messages)
  return { id, agent: 'Tester', read: async () => ({ entries, model: {}, system: '' }) }
}

/** A client of a server that has these sessions; the first is the one that it is in. */
async function connect(
  sessions: readonly FoundSession[],
  search: SessionFinder['search'] = async () => ({ ...NOTHING_FOUND, sessions: new Map() }),
  memory?: SessionFinder['memory'],
  request?: SessionFinder['request'],
): Promise<Client> {
  const [session] = sessions
  const finder: SessionFinder = {
    memory,
    request,
    current: async () => session && { session, why: 'here' },
    named: async (id) => sessions.find((each) => each.id === id),
    search,
  }
  const [near, far] = InMemoryTransport.createLinkedPair()
  await mcpServer(finder, { version: '1' }).connect(far)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(near)
  onTestFinished(() => client.close())
  return client
}

async function called(client: Client, name: string, args: object): Promise<string> {
  const { content } = await client.callTool({ name, arguments: { ...args } })
  return (content as { text: string }[]).map(({ text }) => text).join('\n')
}
