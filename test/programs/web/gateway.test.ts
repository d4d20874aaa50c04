import { join } from 'node:path'
import { expect, it } from 'vitest'
import { announceGateway } from '../../../src/gateway/running-gateways.ts'
import { ownHolder } from '../../../src/session/compaction/hold-lease.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { clientRequest } from '../../gateway/support/conversations.ts'
import { call, gatewayWorld, PREFIX, upstreamServer } from '../../gateway/support/world.ts'
import { describeInBrowser } from '../../web/support/page.ts'
import { storyteller } from '../../web/support/story.ts'

const { path, body } = clientRequest('anthropic')
const ANSWER =
  '{"type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"hi"}],"usage":{"input_tokens":3123,"cache_read_input_tokens":2000}}'

describeInBrowser('the page of a session of another agent', storyteller, ({ world, open }) => {
  it('shows for each request through a running gateway what came in, what went out, why, and how long it waited', async () => {
    const upstream = await upstreamServer((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER),
    )
    const store = await openStore(join(world().data, 'pith.db'))
    const { url, gateway } = await gatewayWorld(upstream, { store })
    const holder = ownHolder()
    const retract = announceGateway(world().data, { holder, port: gateway.port, prefix: PREFIX, mode: 'observe' })
    await call(url + path, { body })
    await expect.poll(async () => (await store.sessions()).sessions[0]?.lastSeq).toBe(6)
    const { sessions } = await store.sessions()
    const { page } = await open(`#/${sessions[0]?.id}`)
    const requests = page.getByRole('region', { name: 'Requests through the gateway' })
    await requests.waitFor()
    const shown = await requests.textContent()
    expect(shown).toMatch(/\d\d:\d\d:\d\d/)
    expect(shown).toMatch(/kB → [\d.]+ kB/)
    expect(shown).toMatch(/[\d.]+ ms/)
    expect(shown).toContain('observed · 5,123 tokens, 2,000 cached')
    retract()
    const reply = await world().ask('GET', `/v1/sessions/${sessions[0]?.id}/requests`)
    expect(reply).toEqual({ requests: [] })
  })
})
