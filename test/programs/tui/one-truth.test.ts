import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { holdForTurn } from '../../../src/session/compaction/hold-lease.ts'
import { startModelServer } from '../../support/model-server/index.ts'
import { home, ready, start } from '../../tui/support/fixture.ts'
import { MODEL, serverConfig } from '../../tui/support/program.ts'
import { answer, replies, talk, userSays } from '../../tui/support/talk.ts'

const CONTINUE = { open: { kind: 'continue' } } as const

/** The status line without the number of the context, which is an estimate. */
const costIn = (status: string) => /\$[\d.?]+/.exec(status)?.[0]

describe('the model of a session', () => {
  it('has the window that its server on this machine reports', async () => {
    const at = home()
    const model = await startModelServer({ brain: replies(), window: 32_768 })
    onTestFinished(model.close)
    at.config({ model: 'vllm/pith-test', providers: { vllm: { base_url: model.baseUrl('chat') } } })
    const program = start(at)
    await program.sees('of 32.8k')
    await program.send('/context')
    await program.sees('of 32,768 tokens')
  })

  it('has that window even if the server reports it only after the first answer', async () => {
    const at = home()
    const model = await startModelServer({ brain: replies(), window: 32_768 })
    onTestFinished(model.close)
    const loading = createServer(async (request, response) => {
      const target = `${model.url}${request.url}`
      if (request.method === 'GET') {
        const window = model.requests.length === 0 ? {} : { max_model_len: 32_768 }
        response.end(JSON.stringify({ data: [{ id: 'pith-test', ...window }] }))
        return
      }
      const answered = await fetch(target, {
        method: 'POST',
        body: await text(request),
        headers: { 'content-type': 'application/json' },
      })
      response.writeHead(answered.status, { 'content-type': answered.headers.get('content-type') ?? '' })
      response.end(await answered.text())
    })
    await new Promise<void>((resolve) => loading.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void loading.close())
    const { port } = loading.address() as AddressInfo
    at.config({ model: 'vllm/pith-test', providers: { vllm: { base_url: `http://127.0.0.1:${port}/v1` } } })
    const program = start(at)
    await program.sees('N/A')
    await program.send('hello')
    await program.sees('of 32.8k')
  })

  it('is the one that answered in it, whatever the configuration says by now', async () => {
    const { at, model } = await ready(replies(), { window: 100_000 })
    await at.session(talk(4, 5_000))
    const other = { provider: 'test', model: 'other', context_window: 2_000 }
    const config = serverConfig(model, { window: 100_000 })
    at.config({ ...config, model: 'test/other', models: [...config.models, other] })
    const program = start(at, CONTINUE)
    await program.sees('5.00%')
    expect(await program.status()).toContain(MODEL)
  })
})

describe('cost and bar', () => {
  it('are after a failed turn what they are when the session is opened again', async () => {
    const { at } = await ready(() => ({ fault: 'http', status: 400, message: 'no' }), { window: 10_000 })
    await at.session(talk(4, 5_000))
    const program = start(at, CONTINUE)
    await program.sees('50.00%')
    await program.send(`one more ${'word '.repeat(100)}`)
    await program.sees('HTTP 400')
    await program.seesNot('Working')
    const failed = await program.status()
    expect(failed).not.toContain('50.00%')
    await program.quit()
    const again = start(at, CONTINUE)
    await again.sees(/%.*of 10k/)
    await again.sees('$')
    expect(await again.status()).toBe(failed)
  })

  it('say that a price is not known, and what is known after a model whose price is', async () => {
    const { at } = await ready(replies(), { window: 10_000 })
    await at.session([...talk(1, 900), userSays('and?'), answer('so', 1_000, 'test/without-price')])
    const program = start(at, CONTINUE)
    await program.sees(/≥ \$0\.0\d+/)
    await program.send('/cost')
    await program.sees(/≥ \$0\.0\d+: the price of a model is missing/)
  })
})

describe('two terminals in one session', () => {
  it('show the order of the log and one cost', async () => {
    const gate = Promise.withResolvers<void>()
    const { at } = await ready(
      async ({ messages }) => {
        const said = JSON.stringify(messages.at(-1))
        if (said.includes('first')) await gate.promise
        return { text: said.includes('first') ? 'Answer one.' : 'Answer two.' }
      },
      { window: 10_000 },
    )
    await at.session(talk(1, 900))
    const [one, two] = [start(at, CONTINUE), start(at, CONTINUE)]
    await Promise.all([one.sees('9.00%'), two.sees('9.00%')])
    await one.send('the first question')
    await one.sees('Working')
    await two.send('the second question')
    await two.sees('Answer two.')
    gate.resolve()
    await Promise.all([one.sees('Answer one.'), two.sees('Answer one.')])
    await Promise.all([one.seesNot('Working'), two.seesNot('Working')])
    const order = /first question[\s\S]*second question[\s\S]*Answer two[\s\S]*Answer one/
    for (const program of [one, two]) {
      const screen = await program.sees(order)
      expect(screen.match(/Answer one/g)).toHaveLength(1)
    }
    const cost = costIn(await one.status())
    expect(cost).toBeDefined()
    await two.sees(cost ?? '')
  })

  it('show what the one does while the other waits for it', async () => {
    const { at } = await ready(replies(), { window: 10_000 })
    const id = await at.session(talk(1, 900))
    const store = await at.store()
    onTestFinished(() => store.close())
    const lease = await holdForTurn(store, id, 'another', 60_000)
    const program = start(at, CONTINUE)
    await program.sees('9.00%')
    await program.send('the second question')
    await program.sees('Waiting')
    await store.append(id, [userSays('the first question')])
    await program.sees('the first question')
    if (lease.ok) await lease.release()
    await program.sees(/first question[\s\S]*second question[\s\S]*Understood/)
  })
})
