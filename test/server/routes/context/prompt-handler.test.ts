import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { user } from '../../../support/messages.ts'
import { type Json, serverWorld, TOKENS } from '../../support/world.ts'

function project(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pith-prompt-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'AGENTS.md'), '# Build\nRun the tests with `npm test`.\n')
  return folder
}

describe('the prompt and the tools over HTTP', () => {
  it('of our own agent are listed one by one, with their texts if they are asked for', async () => {
    const path = project()
    const { ask, session } = await serverWorld({
      server: { workspaces: { shop: { path } } },
      prices: { input: 3, output: 15 },
    })
    const id = await session({ workspace: 'shop', messages: [user('go')] })
    const { body } = await ask('GET', `/v1/sessions/${id}/prompt`)
    expect(body.sections.map(({ part }: Json) => part)).toEqual(expect.arrayContaining(['system', 'instructions']))
    expect(body.sections.find(({ part }: Json) => part === 'instructions')).toMatchObject({ title: 'AGENTS.md' })
    expect(body.sections.every(({ text }: Json) => text === undefined)).toBe(true)
    expect(body.has_texts).toBe(true)
    const { parts } = (await ask('GET', `/v1/sessions/${id}/context`)).body
    expect(Math.abs(body.tokens - parts.system - parts.instructions - parts.memory)).toBeLessThan(body.tokens / 20)
    const whole = (await ask('GET', `/v1/sessions/${id}/prompt?texts=true`)).body
    expect(JSON.stringify(whole.sections)).toContain('Run the tests with')
    const { servers } = (await ask('GET', `/v1/sessions/${id}/tools?texts=true`)).body
    expect(servers[0].tools.find(({ name }: Json) => name === 'bash').text).toContain('"inputSchema"')
  })

  it('of an agent behind a gateway have the sizes that the gateway noted, and no texts', async () => {
    const { ask, session, store } = await serverWorld()
    const id = await session({ messages: [user('go')] })
    expect((await ask('GET', `/v1/sessions/${id}/prompt`)).body).toEqual({ tokens: 0, has_texts: false, sections: [] })
    await store.append(id, [
      {
        type: 'settings',
        prompt: [
          { title: 'Tone', tokens: 40 },
          { title: 'Tools', tokens: 60 },
        ],
      },
    ])
    const { body } = await ask('GET', `/v1/sessions/${id}/prompt?texts=true`)
    expect(body).toEqual({
      tokens: 100,
      has_texts: false,
      sections: [
        { part: 'system', title: 'Tone', tokens: 40 },
        { part: 'system', title: 'Tools', tokens: 60 },
      ],
    })
  })

  it('have no texts for a link to the session: the memory and the instructions are not part of it', async () => {
    const path = project()
    const { ask, session } = await serverWorld({ server: { workspaces: { shop: { path } } } })
    const id = await session({ workspace: 'shop', messages: [user('go')] })
    const made = (await ask('POST', `/v1/sessions/${id}/links`, { hours: 1 })).body
    const token = /#.*=(.+)$/.exec(made.path)?.[1] ?? ''
    const asLink = (what: string) => ask('GET', `/v1/sessions/${id}/${what}?texts=true`, undefined, { token })
    for (const what of ['prompt', 'tools']) {
      const { status, body } = await asLink(what)
      expect([status, body.has_texts]).toEqual([200, false])
      expect(JSON.stringify(body)).not.toMatch(/"text":|AGENTS\.md|npm test/)
    }
  })

  it('are not shown to another owner', async () => {
    const { ask, session } = await serverWorld()
    const id = await session({ messages: [user('go')] })
    expect((await ask('GET', `/v1/sessions/${id}/prompt`, undefined, { token: TOKENS[2].token })).status).toBe(404)
    expect((await ask('GET', '/v1/sessions/none/prompt')).status).toBe(404)
    expect((await ask('GET', `/v1/sessions/${id}/prompt?texts=perhaps`)).status).toBe(400)
  })
})
