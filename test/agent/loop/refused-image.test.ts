import { afterEach, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { runTurn } from '../../../src/agent/loop/run-turn.ts'
import type { ModelCall, ModelEvent } from '../../../src/llm/call/chat-model.ts'
import type { ModelFailure } from '../../../src/llm/failure/model-failure.ts'
import type { UserMessage } from '../../../src/model/types.ts'
import { type AgentWorld, agentWorld } from '../../support/agent-world.ts'
import { scriptedBrain } from '../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

const REFUSAL = 'local: this model cannot read the image (HTTP 400)'
const asking = (text: string, image?: string): UserMessage => ({
  role: 'user',
  content: [{ type: 'text', text }, ...(image === undefined ? [] : [{ type: 'image' as const, image }])],
})

/** An agent whose model is said to take images, and refuses each request that this is true for. */
async function agentWith(
  refuses: (body: string) => boolean,
  failure: ModelFailure = { kind: 'bad-request', text: REFUSAL },
) {
  world = await agentWorld({ brain: scriptedBrain({ steps: [] }) })
  const { deps, live, model, toolSchemas } = world.agent
  const bodies: string[] = []
  const stream = async function* ({ messages }: ModelCall): AsyncGenerator<ModelEvent> {
    const body = JSON.stringify(messages)
    bodies.push(body)
    if (refuses(body)) yield { type: 'failed', failure }
    else yield { type: 'finish', reason: 'stop', message: { role: 'assistant', content: 'Fine.' } }
  }
  const info = { ...model.info, input: ['text' as const, 'image' as const] }
  const begin = () => new Agent(deps, live, { ...model, info, stream }, toolSchemas)
  const say = (agent: Agent, said: UserMessage) => runTurn(agent, said, new AbortController().signal)
  return { begin, say, bodies }
}

it('an image that the model refuses is left out of later requests, and those that it took stay', async () => {
  const { begin, say, bodies } = await agentWith((body) => body.includes('BAD='))
  const agent = begin()
  expect(await say(agent, asking('Look:', 'GOOD'))).toMatchObject({ reason: 'done' })
  expect(await say(agent, asking('And now?', 'BAD='))).toMatchObject({ reason: 'done', answer: 'Fine.' })
  expect(bodies.at(-1)).toContain('GOOD')
  expect(bodies.at(-1)).toMatch(/And now\?.*\[image left out, as local\/pith-test refused it: recall #3\]/)
  const notices = world.events.flatMap((event) => (event.type === 'notice' ? [event.text] : []))
  expect(notices).toEqual([
    `${REFUSAL}. local/pith-test gets no images of #3 from now on: it only learns that they exist`,
  ])
  const asked = bodies.length
  // After a restart, too, nothing is refused again.
  expect(await say(begin(), asking('Go on.'))).toMatchObject({ reason: 'done' })
  expect(bodies.length - asked).toBe(1)
})

it('a request that is refused without its images, too, keeps them and ends with the first refusal', async () => {
  let isBad = true
  const { begin, say, bodies } = await agentWith(() => isBad)
  expect(await say(begin(), asking('Look:', 'GOOD'))).toMatchObject({ reason: 'failed', text: REFUSAL })
  expect(bodies).toHaveLength(2)
  isBad = false
  await say(begin(), asking('Again.'))
  expect(bodies.at(-1)).toContain('GOOD')
})

it('images that were taken before are left out, too, if the model takes none any more', async () => {
  let takesAll = true
  const { begin, say, bodies } = await agentWith((body) => !takesAll && body.includes('data='))
  const agent = begin()
  expect(await say(agent, asking('Look:', 'data=one'))).toMatchObject({ reason: 'done' })
  takesAll = false
  expect(await say(agent, asking('And now?', 'data=two'))).toMatchObject({ reason: 'done' })
  const asked = bodies.length
  expect(await say(agent, asking('Go on.'))).toMatchObject({ reason: 'done' })
  expect(bodies.length - asked).toBe(1)
  expect(bodies.at(-1)).not.toContain('data=')
})

it('a server that answers images with status 500 is asked without them', async () => {
  const failure = { kind: 'server' as const, text: 'local: image input is not supported (HTTP 500)' }
  const { begin, say } = await agentWith((body) => body.includes('data='), failure)
  expect(await say(begin(), asking('Look:', 'data=one'))).toMatchObject({ reason: 'done', answer: 'Fine.' })
})

it('a request without images that is refused is not sent again', async () => {
  const { begin, say, bodies } = await agentWith(() => true)
  expect(await say(begin(), asking('Hello'))).toMatchObject({ reason: 'failed', text: REFUSAL })
  expect(bodies).toHaveLength(1)
})
