import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isStepCount, streamText } from 'ai'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type AgentSession, createSession, type SessionOptions } from '../../../../src/adapters/ai-sdk/index.ts'
import type { SessionEvent } from '../../../../src/session/index.ts'
import { sdkModel } from '../../../support/model-server/sdk-model.ts'
import { reader, TOOLS, WINDOW } from '../world.ts'

async function sessionOf(pages: number, options: Partial<SessionOptions> = {}) {
  const server = await reader(pages)
  const model = sdkModel(server, 'anthropic')
  const session = await createSession({ model, window: WINDOW, ...options })
  onTestFinished(() => session.close())
  return { server, model, session }
}

async function ask({ model, session }: Awaited<ReturnType<typeof sessionOf>>, prompt: string): Promise<string> {
  const { prepareStep, onStepEnd } = session
  const result = streamText({
    model,
    instructions: 'You read books.',
    tools: TOOLS,
    prompt,
    stopWhen: isStepCount(80),
    prepareStep,
    onStepEnd,
  })
  await result.consumeStream()
  return result.text
}

function storePath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pith-session-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'sessions.db')
}

async function entries({ store, id }: AgentSession) {
  return (await store.entries(id)).entries
}

describe('a session on the AI SDK', () => {
  it('stores every message of a run once, with what the provider counted', async () => {
    const world = await sessionOf(3)
    await ask(world, 'Read three pages.')
    const said = (await entries(world.session)).filter((entry) => entry.type === 'message')
    expect(said.map(({ message }) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'assistant',
    ])
    for (const entry of said) expect(entry.usage !== undefined).toBe(entry.message.role === 'assistant')
    expect(world.session.status()).toMatchObject({ source: 'provider', window: WINDOW })
  })

  it('has what was said before in the next run', async () => {
    const world = await sessionOf(1)
    await ask(world, 'My name is Ada.')
    await ask(world, 'What is my name?')
    expect(JSON.stringify(world.server.requests.at(-1)?.request?.messages)).toContain('My name is Ada.')
    expect(world.server.violations).toEqual([])
  })

  it('compacts by itself and stays inside the window', async () => {
    const world = await sessionOf(12)
    expect(await ask(world, 'Read all of it.')).toBe('All pages are read.')
    expect(world.server.violations).toEqual([])
    expect((await entries(world.session)).some((entry) => entry.type === 'compaction')).toBe(true)
  })

  it.each(['off', 'ask'] as const)('never compacts by itself in mode %s', async (mode) => {
    const world = await sessionOf(6, { policy: { mode } })
    await ask(world, 'Read some of it.')
    expect((await entries(world.session)).every((entry) => entry.type === 'message')).toBe(true)
    expect((await world.session.compact()).compacted).toBe(true)
  })

  it('is there after a restart, and an undo gives back what was before, byte for byte', async () => {
    const store = storePath()
    const world = await sessionOf(6, { store })
    await ask(world, 'Read six pages.')
    const before = JSON.stringify(world.session.messages())
    expect((await world.session.compact({ focus: 'the people' })).compacted).toBe(true)
    expect(JSON.stringify(world.session.messages())).toContain('To read every page of the book.')
    await world.session.close()

    const again = await sessionOf(0, { store, id: world.session.id })
    expect(JSON.stringify(again.session.messages())).toContain('To read every page of the book.')
    expect((await again.session.undo()).ok).toBe(true)
    expect(JSON.stringify(again.session.messages())).toBe(before)
    expect((await again.session.redo()).ok).toBe(true)
    expect(JSON.stringify(again.session.messages())).toContain('To read every page of the book.')
  })

  it('leaves a part out of the next request, and puts it back', async () => {
    const world = await sessionOf(3)
    await ask(world, 'Read three pages.')
    const before = JSON.stringify(world.session.messages())
    const done = await world.session.leaveOut('tool:read')
    expect(done).toMatchObject({ ok: true, plan: { parts: 3 } })
    expect(world.session.status().tokens).toBe(done.ok ? done.entry.tokensAfter : 0)
    await ask(world, 'And now?')
    expect(JSON.stringify(world.server.requests.at(-1)?.request?.messages)).toContain('[left out by the user: ')
    expect(world.server.violations).toEqual([])
    expect(await world.session.leaveOut('#99')).toMatchObject({ ok: false, reason: '#99 is not in the context' })
    expect(await world.session.putBack(3)).toMatchObject({ ok: true })
    expect(JSON.stringify(world.session.messages()).startsWith(before.slice(0, -1))).toBe(true)
  })

  it('reports its events', async () => {
    const world = await sessionOf(6)
    const events: SessionEvent[] = []
    const compacted = Promise.withResolvers<SessionEvent>()
    world.session.on((event) => {
      events.push(event)
      if (event.type === 'compacted') compacted.resolve(event)
    })
    await ask(world, 'Read six pages.')
    await world.session.compact()
    expect(await compacted.promise).toMatchObject({ reason: 'manual', tokensSaved: expect.any(Number) })
    expect(events.filter((event) => event.type === 'message')).toHaveLength(14)
  })

  it('takes messages by hand, files and unknown parts included', async () => {
    const { session } = await sessionOf(0)
    await session.append({
      role: 'user',
      content: [{ type: 'file', mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) }],
    })
    const strange = { type: 'hologram', depth: 3 }
    await session.append([{ role: 'assistant', content: [{ type: 'text', text: 'I see.' }, strange as never] }])
    expect(session.messages()).toEqual([
      { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: 'AQID' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'I see.' }, strange] },
    ])
  })

  it('refuses in one line what is not a message', async () => {
    const { session } = await sessionOf(0)
    await expect(session.append({ role: 'robot', content: 'hi' } as never)).rejects.toThrow(/^message: /)
  })
})

it('a session of another owner is not opened, and one is opened by its owner or without an owner', async () => {
  const store = storePath()
  const { session, model } = await sessionOf(0, { store, owner: 'alice' })
  await session.append({ role: 'user', content: 'The code word is tangerine-88.' })
  const open = (owner?: string) => createSession({ model, window: WINDOW, store: session.store, id: session.id, owner })
  await expect(open('bob')).rejects.toThrow(`there is no session ${session.id}`)
  for (const owner of ['alice', undefined])
    expect((await open(owner)).messages()).toMatchObject([{ content: 'The code word is tangerine-88.' }])
})
