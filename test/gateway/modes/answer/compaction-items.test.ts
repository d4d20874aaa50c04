import { expect, test } from 'vitest'
import { objects } from '../../../../src/formats/shared/json.ts'
import { responseObjects } from '../../../../src/gateway/faces/protocol-parts.ts'
import { textOf } from '../../../../src/model/types.ts'
import { openSession } from '../../../../src/session/open-session.ts'
import { type AnswerWorld, answerWorld } from './answer-world.ts'

const SUMMARY = '## Current state\nThe parser in src/parser.ts is deployed, and npm test passes with 12 tests.'
const TRIGGER = { type: 'compaction_trigger' }

test('a compaction trigger is answered with one item, which the provider gets as the text of the record', async () => {
  const world = await answerWorld(says)
  const items = await worked(world)

  const reply = await world.send('/v1/responses', requestOf([...items, TRIGGER]))

  const done = responseObjects(reply.body).filter(({ type }) => type === 'response.output_item.done')
  const [item] = objects(done.map((event) => event.item))
  expect(done).toHaveLength(1)
  expect(item).toMatchObject({ type: 'compaction', encrypted_content: expect.stringMatching(/^pith1\./) })
  await world.send('/v1/responses', requestOf([item ?? {}, said('user', 'Now write the changelog')]))
  const asked = world.seen.at(-1)?.body ?? ''
  expect(asked).not.toContain('encrypted_content')
  expect(asked).toContain('The parser in src/parser.ts is deployed')
  await world.gateway.stop()
  const { sessions } = await world.store.sessions({ owner: 'local' })
  expect(sessions).toHaveLength(1)
  const { view } = await openSession(world.store, sessions[0]?.id ?? '')
  expect(
    view.items
      .slice()
      .map(({ message }) => textOf(message))
      .slice(-2),
  ).toEqual(['Now write the changelog', 'Done.'])
})

test('a call of /responses/compact is answered with a history of one item', async () => {
  const world = await answerWorld(says)
  const items = await worked(world)

  const { status, body } = await world.send('/v1/responses/compact', { model: 'gpt-5.2', input: items })

  expect(status).toBe(200)
  expect(JSON.parse(body)).toMatchObject({ object: 'response.compaction', output: [{ type: 'compaction' }] })
  expect(world.seen.at(-1)?.url).toBe('/v1/responses')
})

test.each(['/v1/responses', '/v1/responses/compact'])(
  'a second compaction at %s is asked of a model that reads the record of the first',
  async (path) => {
    const world = await answerWorld(says)
    const items = await worked(world)
    const first = await world.send('/v1/responses', requestOf([...items, TRIGGER]))
    const events = responseObjects(first.body).filter(({ type }) => type === 'response.output_item.done')
    const [item] = objects(events.map((event) => event.item))
    const later = await worked(world, [item ?? {}], 'document')
    await world.send('/v1/responses', requestOf(later))

    const input = path.endsWith('compact') ? later : [...later, TRIGGER]
    const { status } = await world.send(path, requestOf(input))

    expect(status).toBe(200)
    const asked = world.seen.at(-1)?.body ?? ''
    expect(asked).toContain('This message is from the program')
    expect(asked).not.toContain('pith1.')
  },
)

test('a summary for Codex is asked with the tools of the request before, so that the provider has it in its cache', async () => {
  const world = await answerWorld(says)
  const tools = [{ type: 'function', name: 'exec_command', parameters: { type: 'object' } }]
  const items = await worked(world)
  await world.send('/v1/responses', { ...requestOf(items), tools })
  const turn = world.seen.at(-1)?.body ?? ''
  const input = [...items, said('user', 'You are performing a CONTEXT CHECKPOINT COMPACTION.')]
  const compaction = { 'x-codex-turn-metadata': '{"request_kind":"compaction"}' }

  await world.send('/v1/responses', { ...requestOf(input), tools: [] }, compaction)

  const asked = world.seen.at(-1)?.body ?? ''
  expect(asked).toContain('This message is from the program')
  expect(JSON.parse(asked).tools).toEqual(tools)
  expect(JSON.parse(asked).input.slice(0, -1)).toEqual(JSON.parse(turn).input)
})

test('an item of another installation becomes a sentence, because no provider takes it', async () => {
  const world = await answerWorld(says)

  await world.send(
    '/v1/responses',
    requestOf([{ type: 'compaction', encrypted_content: 'pith1.x.y' }, said('user', 'Hi')]),
  )

  expect(world.seen.at(-1)?.body).toContain('another installation of Pith')
})

test("a provider's own item is passed on byte for byte", async () => {
  const world = await answerWorld(says)
  const request = requestOf([{ type: 'compaction', encrypted_content: 'gAAAA' }, said('user', 'Hi')])

  await world.send('/v1/responses', request)

  expect(world.seen.at(-1)?.body).toBe(JSON.stringify(request))
})

function says({ body }: { body: string }): string {
  return body.includes('This message is from the program') ? SUMMARY : 'Done.'
}

function said(role: 'user' | 'assistant', text: string): object {
  return { type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] }
}

function requestOf(input: readonly object[]): object {
  return { model: 'gpt-5.2', instructions: 'You are an agent.', input, tools: [], stream: true, store: false }
}

async function worked(world: AnswerWorld, before: readonly object[] = [], what = 'deploy'): Promise<object[]> {
  const items = [...before]
  for (let i = 0; i < 8; i++) {
    items.push(
      said('user', `Please ${what} step ${i}`),
      { type: 'function_call', call_id: `c${i}`, name: 'exec_command', arguments: `{"cmd":"npm test -- ${i}"}` },
      { type: 'function_call_output', call_id: `c${i}`, output: `12 passed, run ${i}\n${'a line\n'.repeat(60)}` },
    )
    await world.send('/v1/responses', requestOf(items))
    items.push(said('assistant', 'Done.'))
  }
  return items
}
