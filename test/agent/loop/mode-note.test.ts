import { expect, it, onTestFinished } from 'vitest'
import { compactNow } from '../../../src/agent/compaction/compact-now.ts'
import { typedIn } from '../../../src/engine/extract/text/typed-words.ts'
import { type AgentWorldOptions, agentWorld } from '../../support/agent-world.ts'
import { calling, longText, saidTo, scriptedBrain } from '../../support/scripted-brain.ts'

const never = new AbortController().signal
const note = (mode: string) => `<system-reminder>\nThe user's permission mode is ${mode} now.\n</system-reminder>`

async function world(options: Partial<AgentWorldOptions> = {}) {
  const made = await agentWorld({ brain: scriptedBrain({ steps: [] }), ...options })
  onTestFinished(made.close)
  const lastSaid = () => {
    const messages = made.server.requests.at(-1)?.request?.messages ?? []
    return messages
      .filter(({ role }) => role === 'user')
      .at(-1)
      ?.parts.map((part) => 'text' in part && part.text)
  }
  return { ...made, made, lastSaid, all: () => saidTo(made.server.requests.at(-1)?.request) }
}

it('a changed permission mode is a reminder in the next message of the user, once, and not a message of its own', async () => {
  const { made, lastSaid, all } = await world()
  await made.say('One.')
  expect(lastSaid()).toEqual(['One.'])
  made.gate.mode = 'ask'
  await made.say('Two.')
  expect(lastSaid()).toEqual(['Two.', note('ask')])
  await made.say('Three.')
  expect(lastSaid()).toEqual(['Three.'])
  expect(all().split(note('ask'))).toHaveLength(2)
  const { messages } = made.server.requests.at(-1)?.request ?? { messages: [] }
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user'])
  const typed = made.agent.live.view.items.slice().map((item) => (item.kind === 'message' ? typedIn(item) : ''))
  expect(typed.filter((text) => text !== '')).toEqual(['One.', 'Two.', 'Three.'])
})

it('a message that comes during a turn has the reminder of a mode that was changed in it', async () => {
  const during = () => {
    made.gate.mode = 'ask'
    made.agent.steering.push('Two.')
    return calling('read', { path: 'a.txt' })
  }
  const { made, lastSaid } = await world({ brain: scriptedBrain({ steps: [during] }) })
  await made.say('One.')
  expect(lastSaid()?.slice(-2)).toEqual(['Two.', note('ask')])
})

it('after a compaction the mode is in the system prompt, and no reminder is needed', async () => {
  const steps = ['one', 'two', 'three'].map((mark) => ({ text: longText(mark, 3_000) }))
  const settings = { policy: { rungs: ['digest' as const], keepTokens: 2_000 } }
  const { made, lastSaid, all } = await world({ brain: scriptedBrain({ steps }), settings })
  await made.say('One.')
  made.gate.mode = 'ask'
  for (const text of ['Two.', 'Three.']) await made.say(text)
  expect(await compactNow(made.agent, { reason: 'manual', signal: never })).toMatchObject({ compacted: true })
  await made.say('Four.')
  expect(lastSaid()).toEqual(['Four.'])
  expect(all()).not.toContain(note('ask'))
  expect(JSON.stringify(made.server.requests.at(-1)?.request?.system)).toContain('permission mode is ask now')
})

it('a session that is opened again in another mode gets one if an old note says otherwise', async () => {
  const { made, lastSaid } = await world()
  await made.say('One.')
  made.gate.mode = 'ask'
  await made.say('Two.')
  await made.reopen()
  await made.say('Three.')
  expect(lastSaid()).toEqual(['Three.', note('full')])
})
