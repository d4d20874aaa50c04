import { join } from 'node:path'
import { expect, it } from 'vitest'
import { announceGateway } from '../../../src/gateway/running-gateways.ts'
import { ownHolder } from '../../../src/session/compaction/hold-lease.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { clientRequest } from '../../gateway/support/conversations.ts'
import { call, gatewayWorld, PREFIX, upstreamServer } from '../../gateway/support/world.ts'
import { findings, outside } from '../../web/support/findings.ts'
import { describeInBrowser } from '../../web/support/page.ts'
import { storyteller } from '../../web/support/story.ts'
import { TOKEN } from '../../web/support/world.ts'

const { path, body } = clientRequest('anthropic')
const ANSWER =
  '{"type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"hi"}],"usage":{"input_tokens":3123,"cache_read_input_tokens":2000}}'

const DIALOG = 'dialog'

describeInBrowser('the page of a session of another agent', storyteller, ({ world, open }) => {
  // The first test: later ones have sessions.
  it('begins with an empty list that offers commands with the address of the server, and no token', async () => {
    const { page } = await open('#/')
    const steps = page.getByRole('region', { name: 'First steps' })
    await steps.getByText('pith wrap claude').waitFor()
    expect(await steps.textContent()).toContain(
      `curl "${world().url}/v1/sessions" -H "Authorization: Bearer $PITH_TOKEN"`,
    )
    expect(await page.content()).not.toContain(TOKEN)
    await steps.getByRole('button', { name: 'Copy: Work with your agent' }).click()
    await page.getByText('The command is on the clipboard').waitFor()
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 })
      expect([width, ...(await findings(page, '.first-steps')), ...(await outside(page))]).toEqual([width])
    }
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('the newest messages, which a compaction keeps word for word').waitFor()
    expect([...(await findings(page, DIALOG)), ...(await outside(page))]).toEqual([])
  })

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
    const prompt = page.getByRole('region', { name: 'System prompt in each request' })
    expect(await prompt.textContent()).toMatch(/Be brief\..*Only the sizes are known/)
    expect([...(await findings(page, '.overview')), ...(await outside(page))]).toEqual([])
    retract()
    const reply = await world().ask('GET', `/v1/sessions/${sessions[0]?.id}/requests`)
    expect(reply).toEqual({ requests: [] })
  })
})
