import { hostname } from 'node:os'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { factsIn } from '../../../src/engine/extract/index-delta.ts'
import { readRequest } from '../../../src/gateway/faces/read-request.ts'
import { SessionRecorder } from '../../../src/gateway/recording/session-recorder.ts'
import type { Message } from '../../../src/model/types.ts'
import { openSession } from '../../../src/session/open-session.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { SessionId, Store } from '../../../src/store/store.ts'
import { startPostgres, type TestPostgres } from '../../support/postgres.ts'

const model = 'local/m'
const usage = { inputTokens: 10, outputTokens: 2 }

type Call = { readonly id: string; readonly name: string; readonly input: object }

const edit = { file_path: '/w/a.ts', old_string: 'one', new_string: 'two' }

const user = (content: string) => ({ role: 'user', content })
const called = (...calls: readonly Call[]) => ({
  role: 'assistant',
  content: [{ type: 'text', text: 'I do it.' }, ...calls.map((call) => ({ type: 'tool_use', ...call }))],
})
const results = (...of: readonly Call[]) => ({
  role: 'user',
  content: of.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: `The result of ${id}.` })),
})

function request(...messages: readonly object[]) {
  return bodyOf(JSON.stringify({ model: 'm', messages }))
}

function bodyOf(text: string) {
  const read = readRequest({ method: 'POST', path: '/v1/messages', headers: {}, body: Buffer.from(text) })
  if (read === undefined) throw new Error('the request is not read')
  return read
}

function answer(...calls: readonly Call[]) {
  const content = [
    { type: 'text' as const, text: 'I do it.' },
    ...calls.map(({ id, name, input }) => ({ type: 'tool-call' as const, toolCallId: id, toolName: name, input })),
  ]
  return { message: { role: 'assistant', content } as Message, usage }
}

describe.each(['SQLite', 'PostgreSQL'])('a client that changes the arguments of its own calls, on %s', (database) => {
  let postgres: TestPostgres | undefined
  beforeAll(async () => {
    postgres = database === 'PostgreSQL' ? await startPostgres() : undefined
  })
  afterAll(() => postgres?.stop())

  async function world() {
    const store = await openStore((await postgres?.readyUrl()) ?? ':memory:')
    onTestFinished(() => store.close())
    const recorderOf = (holder: string) => new SessionRecorder({ store, holder, owner: 'local', workspace: '/w' })
    return { store, recorderOf, recorder: recorderOf('other-machine:1') }
  }

  async function messagesIn(store: Store, id: SessionId | undefined) {
    return (await store.entries(id ?? '', { only: 'messages' })).entries
  }

  const id = 'toolu_1'
  const before: Call = { id, name: 'Edit', input: edit }
  const more: Call = { id: 'toolu_2', name: 'Bash', input: { command: 'ls' } }

  it.each<[string, readonly Call[], readonly Call[]]>([
    ['a default is added', [before], [{ ...before, input: { ...edit, replace_all: false } }]],
    [
      'a change of the folder is left out',
      [{ id, name: 'Bash', input: { command: 'cd /w && npm test' } }],
      [{ id, name: 'Bash', input: { command: 'npm test' } }],
    ],
    ['one of several calls is changed', [before, more], [{ ...before, input: { ...edit, replace_all: false } }, more]],
    [
      'its calls get ids of their own',
      [before, more],
      [
        { ...before, id: 'own-1', input: { ...edit, replace_all: false } },
        { ...more, id: 'own-2' },
      ],
    ],
    ['keys have another order', [before], [{ ...before, input: Object.fromEntries(Object.entries(edit).reverse()) }]],
    [
      'a number is a text',
      [{ id, name: 'Read', input: { limit: 20 } }],
      [{ id, name: 'Read', input: { limit: '20' } }],
    ],
  ])('continues its session if %s', async (_, made, ran) => {
    const { store, recorder } = await world()
    const first = await recorder.addAnswer(await recorder.addRequest(request(user('a'))), answer(...made), model)
    const asked = [user('a'), called(...ran), results(...ran)]
    const second = await recorder.addRequest(request(...asked))
    await recorder.addAnswer(second, answer({ ...more, id: 'toolu_3' }), model)
    const third = await recorder.addRequest(
      request(
        ...asked,
        called({ ...more, id: 'toolu_3', input: { command: 'ls .' } }),
        results({ ...more, id: 'toolu_3' }),
      ),
    )
    expect([second.session, third.session]).toEqual([first.session, first.session])
    const entries = await messagesIn(store, first.session)
    expect(entries).toHaveLength(2 + made.length + 2)
    expect(entries[1]).toMatchObject({ usage, message: answer(...made).message })
    // Nothing that changes the view was written.
    expect(await store.session(first.session ?? '')).toMatchObject({ revision: 0 })
    expect((await store.sessions()).sessions).toHaveLength(1)
  })

  it('is the same client whatever the form of its numbers', async () => {
    const { store, recorder } = await world()
    const read = { id, name: 'Read', input: { offset: 1, limit: 1000 } }
    await recorder.addAnswer(await recorder.addRequest(request(user('a'))), answer(read), model)
    const text = JSON.stringify({ model: 'm', messages: [user('a'), called(read), results(read)] })
    await recorder.addRequest(bodyOf(text.replace('"offset":1', '"offset":1.0').replace('1000', '1e3')))
    expect((await store.sessions()).sessions).toHaveLength(1)
    const [, , result] = await messagesIn(store, (await store.sessions()).sessions[0]?.id)
    expect(result).not.toHaveProperty('calls')
  })

  it('has facts about what it ran', async () => {
    const { store, recorder } = await world()
    const made = { id, name: 'Bash', input: { command: 'npm test -- one' } }
    const ran = { ...made, input: { command: 'npm test -- two' } }
    const { session = '' } = await recorder.addAnswer(
      await recorder.addRequest(request(user('a'))),
      answer(made),
      model,
    )
    await recorder.addRequest(request(user('a'), called(ran), results(ran)))
    const { view } = await openSession(store, session)
    expect(factsIn(view.items.slice()).commands).toMatchObject([{ command: 'npm test -- two' }])
  })

  it.each<[string, readonly object[]]>([
    ['another tool is called', [called({ ...before, name: 'Write' }), results(before)]],
    ['another call is added', [called(before, more, more), results(before, more)]],
    ['its text is another', [{ ...called(before), content: [{ type: 'text', text: 'No.' }] }, user('b')]],
    [
      'only some ids are the same',
      [called({ ...before, input: {} }, { ...more, id: 'other' }), results(before, { ...more, id: 'other' })],
    ],
  ])('branches if %s', async (_, later) => {
    const { recorder } = await world()
    const first = await recorder.addAnswer(await recorder.addRequest(request(user('a'))), answer(before, more), model)
    const second = await recorder.addRequest(request(user('a'), ...later))
    expect(second.session).not.toBe(first.session)
  })

  it('branches if the user goes back and another answer calls the same tools', async () => {
    const { store, recorder } = await world()
    const asked = await recorder.addRequest(request(user('a')))
    const first = await recorder.addAnswer(asked, answer(before), model)
    await recorder.addRequest(request(user('a'), called(before), results(before)))
    const other = { ...before, id: 'toolu_9', input: { ...edit, new_string: 'three' } }
    const second = await recorder.addAnswer(await recorder.addRequest(request(user('a'))), answer(other), model)
    const ran = { ...other, input: { ...other.input, replace_all: false } }
    const third = await recorder.addRequest(request(user('a'), called(ran), results(ran)))
    expect(second.session).not.toBe(first.session)
    expect(third.session).toBe(second.session)
    expect(await messagesIn(store, first.session)).toHaveLength(3)
    expect((await store.sessions()).sessions).toHaveLength(2)
  })

  it('branches if another living process has the session, and shares the answer', async () => {
    const { store, recorderOf } = await world()
    const [one, two] = [recorderOf('other-machine:1'), recorderOf('other-machine:2')]
    const first = await one.addAnswer(await one.addRequest(request(user('a'))), answer(before), model)
    const ran = { ...before, input: { ...edit, replace_all: false } }
    const second = await two.addRequest(request(user('a'), called(ran), results(ran)))
    const third = await two.addRequest(request(user('a'), called(ran), results(ran), called(more), user('b')))
    expect(await store.session(second.session ?? '')).toMatchObject({ parent: { id: first.session, seq: 2 } })
    expect(third.session).toBe(second.session)
    expect(await messagesIn(store, first.session)).toHaveLength(2)
  })

  it('is known again if it resumes with the arguments of the model', async () => {
    const { store, recorderOf } = await world()
    const dead = recorderOf(`${hostname()}:999999`)
    const ran = { ...before, input: { ...edit, replace_all: false } }
    const first = await dead.addAnswer(await dead.addRequest(request(user('a'))), answer(before), model)
    await dead.addRequest(request(user('a'), called(ran), results(ran)))
    const again = await recorderOf('other-machine:2').addRequest(
      request(user('a'), called(before), results(before), user('b')),
    )
    expect(again.session).toBe(first.session)
    expect(await messagesIn(store, first.session)).toHaveLength(4)
  })

  it('continues a session whose log was written by an earlier version', async () => {
    const { store, recorder } = await world()
    // Version 0.2 marked each entry with one value, and knew no `calls`.
    const first = await recorder.addRequest(request(user('a'), called(before), results(before)))
    const entries = await messagesIn(store, first.session)
    expect(entries).toHaveLength(3)
    const ran = { ...before, input: { ...edit, replace_all: false } }
    const second = await recorder.addRequest(request(user('a'), called(ran), results(ran), user('b')))
    expect(second.session).toBe(first.session)
    expect(await messagesIn(store, first.session)).toHaveLength(4)
  })

  it('is one conversation at two servers, also if the next request comes before the answer is recorded', async () => {
    const { store, recorderOf } = await world()
    const [one, two] = [recorderOf('servers'), recorderOf('servers')]
    const place = await one.addRequest(request(user('a')))
    const ran = { ...before, input: { ...edit, replace_all: false } }
    const next = await two.addRequest(request(user('a'), called(ran), results(ran)))
    const end = await one.addAnswer(place, answer(before), model)
    expect([next.session, end.session]).toEqual([place.session, place.session])
    const { entries } = await store.entries(place.session ?? '')
    expect(entries.map(({ type }) => type)).toEqual(['message', 'message', 'message', 'void'])
    expect(entries[3]).toMatchObject({ usage, model })
  })
})
