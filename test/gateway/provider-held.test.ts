import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { rescuingMode, rewriteMode } from '../../src/gateway/modes/modes.ts'
import { resultsOf, textOf } from '../../src/model/types.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { call, gatewayWorld, upstreamServer } from './support/world.ts'

type Body = Readonly<Record<string, unknown>>

/** A Responses server that keeps what was said, behind a gateway that may change requests. */
async function world({ mode: makeMode = rewriteMode, owner = 'local', store: given }: Options = {}) {
  const seen: string[] = []
  const upstream = await upstreamServer(async (request, response) => {
    const body = await text(request)
    seen.push(body)
    const asked = JSON.parse(body) as Body
    const id = `resp_${owner}_${seen.length}`
    const message = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: `answer ${id}` }] }
    const called = { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{"path":"a.ts"}' }
    const output = String(asked.input).includes('look') ? [called] : [message]
    const { store = true, conversation } = asked
    const usage = { input_tokens: 900, output_tokens: 5 }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id, object: 'response', status: 'completed', store, conversation, output, usage }))
  })
  const store = given ?? (await openStore(':memory:'))
  const deps = { store, owner, holder: 'test:1', clock: Date.now, key: Buffer.alloc(32), policy: {} } as const
  const mode = makeMode({ ...deps, modelInfo: () => ({}), summaries: 'none', configured: async () => [] })
  const { url, requests, gateway } = await gatewayWorld(upstream, { store, owner, mode, key: deps.key })
  const send = async (body: Body, headers = {}): Promise<string> => {
    const sent = JSON.stringify({ model: 'm', ...body })
    const reply = await call(`${url}/v1/responses`, { body: sent, headers })
    expect(seen.at(-1)).toBe(sent)
    return (JSON.parse(String(reply.body)) as { id: string }).id
  }
  /** Waits until that many requests are recorded with their answers. */
  const recorded = (many: number) => expect.poll(requests).toHaveLength(many)
  return { send, store, requests, gateway, recorded }
}

type Options = {
  readonly mode?: typeof rewriteMode
  readonly owner?: string
  readonly store?: Store
}

async function logs(store: Store): Promise<string[][]> {
  const { sessions } = await store.sessions()
  const read = sessions.toSorted((a, b) => a.createdAt - b.createdAt || (a.parent === undefined ? -1 : 1))
  return Promise.all(
    read.map(async ({ id }) =>
      (await store.entries(id)).entries.map((entry) =>
        entry.type === 'message' ? textOf(entry.message) : JSON.stringify({ ...entry, id: 0, seq: 0, at: 0 }),
      ),
    ),
  )
}

describe('a request that has only the new turn', () => {
  it.each([rewriteMode, rescuingMode])('continues the session whose answer it names, unchanged', async (mode) => {
    const { send, store, requests, recorded } = await world({ mode })
    const first = await send({ input: 'one' })
    const second = await send({ previous_response_id: first, input: [{ role: 'user', content: 'two' }] })
    await send({ previous_response_id: second, input: 'three' }, { 'x-codex-turn-metadata': '{"request_kind":"turn"}' })
    await recorded(3)
    expect(await logs(store)).toEqual([
      ['one', 'answer resp_local_1', 'two', 'answer resp_local_2', 'three', 'answer resp_local_3'],
    ])
    expect((await requests()).at(-1)?.why).toBe('forwarded: it has only the new turn, the provider has the rest')
  })

  it('is a fork if the session has continued', async () => {
    const { send, store, recorded } = await world()
    const first = await send({ input: 'one' })
    await send({ previous_response_id: first, input: 'two' })
    await send({ previous_response_id: first, input: 'other' })
    await recorded(3)
    expect((await logs(store)).map((log) => log.filter((line) => !line.startsWith('answer')))).toEqual([
      ['one', 'two'],
      ['one', 'other'],
    ])
  })

  it('begins a session that says so if its id is not known, or is another owner’s', async () => {
    const store = await openStore(':memory:')
    const one = await world({ store })
    const id = await one.send({ input: 'one' })
    await one.gateway.stop()
    const two = await world({ store, owner: 'other' })
    await two.send({ previous_response_id: id, input: 'two' })
    await two.recorded(1)
    const [, other] = await logs(store)
    expect(other).toEqual([expect.stringContaining(`"beforeLog":"${id}"`), 'two', 'answer resp_other_1'])
  })

  it('continues a conversation that the provider keeps', async () => {
    const { send, store, recorded } = await world()
    await send({ conversation: 'conv_1', input: 'one' })
    await send({ conversation: { id: 'conv_1' }, input: 'two' })
    await recorded(2)
    expect((await logs(store)).map((log) => log.slice(1))).toEqual([
      ['one', 'answer resp_local_1', 'two', 'answer resp_local_2'],
    ])
  })

  it('has results whose calls are in the log', async () => {
    const { send, store, recorded } = await world()
    const first = await send({ input: 'look' })
    const output = { type: 'function_call_output', call_id: 'c1', output: 'found' }
    await send({ previous_response_id: first, input: [output] })
    await recorded(2)
    const { sessions } = await store.sessions()
    const { entries } = await store.entries(sessions[0]?.id ?? '')
    const results = entries.flatMap((entry) => (entry.type === 'message' ? resultsOf(entry.message) : []))
    expect(results).toMatchObject([{ toolCallId: 'c1', toolName: 'look' }])
  })

  it('cannot continue an answer that was not stored', async () => {
    const { send, store, recorded } = await world()
    const first = await send({ input: 'one', store: false })
    await send({ previous_response_id: first, input: 'two' })
    await recorded(2)
    expect(await logs(store)).toHaveLength(2)
  })
})
