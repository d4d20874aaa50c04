import { describe, expect, it } from 'vitest'
import { serverWorld } from '../../support/world.ts'

const usage = { input_tokens: 900, output_tokens: 20 }

/** A user's wish, a call with its result in a later request, and an answer: in the shape of each SDK. */
const SHAPES: Record<string, readonly [first: object[], later: object[]]> = {
  openai: [
    [
      { role: 'user', content: 'Read a.ts' },
      {
        role: 'assistant',
        content: 'I read it.',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a.ts"}' } }],
      },
    ],
    [
      { role: 'tool', tool_call_id: 'c1', content: 'let zebra = 1' },
      { role: 'assistant', content: 'Done.' },
    ],
  ],
  'openai-responses': [
    [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Read a.ts' }] },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' },
      { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"path":"a.ts"}' },
    ],
    [
      { type: 'function_call_output', call_id: 'c1', output: 'let zebra = 1' },
      { type: 'message', role: 'assistant', content: 'Done.' },
    ],
  ],
  anthropic: [
    [
      { role: 'user', content: [{ type: 'text', text: 'Read a.ts' }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Look.', signature: 'sig' },
          { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a.ts' } },
        ],
      },
    ],
    [
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'let zebra = 1' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
    ],
  ],
  'ai-sdk': [[{ role: 'user', content: 'Read a.ts' }], [{ role: 'assistant', content: 'Done.' }]],
}

describe('messages in the shape of an SDK', () => {
  it.each(Object.entries(SHAPES))('%s: what is appended comes back in the view', async (shape, [first, later]) => {
    const { ask, session } = await serverWorld()
    const id = await session()
    const path = `/v1/sessions/${id}`
    expect(await ask('POST', `${path}/messages`, { shape, items: first })).toMatchObject({ status: 201 })
    const { body } = await ask('POST', `${path}/messages`, { shape, items: later, usage, model: 'local/pith-test' })
    expect(body.status).toMatchObject({ tokens: 920, source: 'provider' })
    expect((await ask('GET', `${path}/view?shape=${shape}`)).body.messages).toEqual([...first, ...later])
  })

  it('a result has the tool of its call, though that came in an earlier request', async () => {
    const { ask, session } = await serverWorld()
    const id = await session()
    for (const items of SHAPES.openai ?? [])
      await ask('POST', `/v1/sessions/${id}/messages`, { shape: 'openai', items })
    const { hits } = (await ask('GET', `/v1/sessions/${id}/recall?q=zebra`)).body
    expect(hits).toMatchObject([{ role: 'tool', tool: 'read' }])
  })

  it.each([
    [{ items: [{ role: 'wizard', content: 'x' }], shape: 'openai' }, /^items\.0\.role in the body/],
    [{ items: ['x'], shape: 'openai-responses' }, /^items\.0 in the body/],
    [{ items: [{ role: 'user', content: 5 }], shape: 'anthropic' }, /^items\.0\.content in the body/],
    [{ items: [null] }, /^items\.0 in the body/],
    [{ items: [], messages: [] }, 'the body needs either messages or items'],
    [{}, 'the body needs either messages or items'],
    [{ items: [{ role: 'user', content: 'x' }], usage }, /belongs to an answer/],
    [{ messages: [], usage }, /are for items/],
  ])('%j is refused in one line that says what is wrong', async (body, message) => {
    const { ask, session } = await serverWorld()
    const answer = await ask('POST', `/v1/sessions/${await session()}/messages`, body)
    expect(answer).toMatchObject({ status: 400, body: { error: { message: expect.stringMatching(message) } } })
    expect(answer.body.error.message).not.toContain('\n')
  })
})
