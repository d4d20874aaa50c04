import { describe, expect, it } from 'vitest'
import type { Port } from '../../../src/tui/port/port.ts'
import { refusal } from '../../../src/tui/port/shared.ts'
import { openRemotePort } from '../../../src/tui/remote/remote-port.ts'
import { listening } from '../../server/support/listening.ts'
import { TOKENS } from '../../server/support/world.ts'
import { commandThatWaits } from '../../support/command-that-waits.ts'
import { home, ready, start } from '../../tui/support/fixture.ts'
import { KEY } from '../../tui/support/program.ts'
import { replies } from '../../tui/support/talk.ts'

const FULL = { flags: { permissions: 'full' } } as const

/** An agent that runs a command, which waits for a file, and then says how many messages of the user it has seen. */
async function atWork() {
  const made = await ready(({ messages }) => {
    const said = messages.filter(({ role }) => role === 'user').flatMap(({ parts }) => parts)
    if (messages.at(-1)?.role === 'user' && said.length === 1) {
      return { calls: [{ name: 'bash', input: { command: `${commandThatWaits('go')}; echo ready` } }] }
    }
    return { text: `Heard: ${said.map((part) => (part.type === 'text' ? part.text : '')).join(' | ')}.` }
  })
  const program = start(made.at, FULL)
  await program.sees('%')
  await program.send('first')
  await program.sees('bash')
  return { ...made, program }
}

/** The terminal of a server whose first answer waits. */
async function overServer(own: Partial<Port> = {}) {
  const gate = Promise.withResolvers<void>()
  const at = home()
  const world = await listening({
    brain: async (_, number) => {
      if (number === 1) await gate.promise
      return { text: `Reply ${number}.` }
    },
  })
  const where = { url: world.url, token: TOKENS[0].token, open: { kind: 'new' as const } }
  const program = start(at, { port: async () => Object.assign(await openRemotePort(where), own) })
  await program.sees('%')
  await program.send('first')
  await program.sees('Working...')
  return { program, gate, world }
}

describe('a message that is sent while the agent works', () => {
  it('reaches the model after the running tool, in the same turn', async () => {
    const { program, at, model } = await atWork()
    await program.send('second')
    await program.sees('after this step: second')
    at.file('go', '')
    await program.sees('Heard: first | second.')
    expect(model.requests).toHaveLength(2)
    await program.seesNot('after this step')
    expect((await program.screen()).match(/› second/g)).toHaveLength(1)
  })

  it('keeps the turn going when it comes during the last answer', async () => {
    const gate = Promise.withResolvers<void>()
    const { at, model } = await ready(async (_, number) => {
      if (number === 1) await gate.promise
      return { text: `Reply ${number}.` }
    })
    const program = start(at)
    await program.sees('%')
    await program.send('first')
    await program.sees('Working...')
    await program.send('second')
    await program.sees('after this step: second')
    gate.resolve()
    await program.sees(/Reply 1[\s\S]*› second[\s\S]*Reply 2/)
    expect(model.requests).toHaveLength(2)
  })

  it('reaches the model in the same turn over a server', async () => {
    const { program, gate } = await overServer()
    await program.send('second')
    await program.sees('after this step: second')
    gate.resolve()
    await program.sees(/Reply 1[\s\S]*› second[\s\S]*Reply 2/)
    await program.seesNot('after this step')
    expect((await program.screen()).match(/› second/g)).toHaveLength(1)
    await program.send('third')
    await program.sees('Reply 3')
  })

  it('is sent after the turn as often as it was refused, in the same words too', async () => {
    const refused = Promise.withResolvers<void>()
    const { program, gate } = await overServer({ steer: () => refused.promise.then(() => refusal('')) })
    await program.send('go on')
    await program.send('go on')
    await program.sees(/(after this step: go on[\s\S]*){2}/)
    refused.resolve()
    await program.seesNot('after this step')
    gate.resolve()
    await program.sees('Reply 3')
    expect((await program.screen()).match(/› go on/g)).toHaveLength(2)
  })

  it('comes back into the input when the connection breaks: the turn continues and may have it', async () => {
    const { program, gate, world } = await overServer()
    await program.send('second')
    await program.sees('after this step: second')
    await expect
      .poll(() => world.lines.map(({ path }) => path), { timeout: 20_000 })
      .toContainEqual(expect.stringMatching(/steer$/))
    world.cut()
    await program.sees(/─\n *second/)
    gate.resolve()
    await program.sees(/Reply 1[\s\S]*› second[\s\S]*Reply 2/)
    expect((await program.screen()).match(/› second/g)).toHaveLength(1)
    expect(world.model.requests).toHaveLength(2)
  })

  it('comes back into the input when the turn is interrupted', async () => {
    const { program } = await atWork()
    await program.send('second')
    await program.sees('after this step: second')
    program.press(KEY.interrupt)
    await program.sees('Interrupted...what should the agent do instead?')
    expect(await program.screen()).toMatch(/─\n *second/)
  })
})

describe('Ctrl+C', () => {
  it('interrupts, and twice in a row quits', async () => {
    const { program } = await atWork()
    program.press(KEY.interrupt)
    await program.sees('Press Ctrl+C again to quit')
    await program.sees('Interrupted...what should the agent do instead?')
    program.press(KEY.interrupt)
    await program.ended
  })
})

describe('a command of the user', () => {
  it('runs in the shell, and its output is in the conversation', async () => {
    const { at, model } = await ready(replies())
    at.file('notes.txt', 'remember the milk')
    const program = start(at)
    await program.sees('%')
    await program.send('!cat notes.txt')
    await program.sees('remember the milk')
    expect(model.requests).toHaveLength(0)
    await program.send('what does it say?')
    await program.sees('Understood.')
    expect(JSON.stringify(model.requests[0]?.body)).toContain('$ cat notes.txt\\nremember the milk')
  })

  it('whose output cannot be stored says so, and the next message is sent', async () => {
    const { at } = await ready(replies())
    const program = start(at)
    await program.sees('%')
    await program.send('hello')
    await program.sees('Understood.')
    const store = await at.store()
    const { sessions } = await store.sessions({ limit: 1 })
    await store.deleteSession(sessions[0]?.id ?? '')
    await store.close()
    await program.send('!echo hi')
    await program.sees('there is no session')
    await program.send('/new')
    await program.seesNot('there is no session')
    await program.send('hello again')
    await program.sees('Understood.')
  })

  it('can be interrupted', async () => {
    const { at } = await ready(replies())
    const program = start(at)
    await program.sees('%')
    await program.send('!sleep 60')
    await program.sees('running sleep 60')
    program.press(KEY.escape)
    await program.sees('aborted by the user')
    await program.seesNot('running sleep')
  })
})
