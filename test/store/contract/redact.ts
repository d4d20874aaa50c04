import { expect, it } from 'vitest'
import { mergeIndexes } from '../../../src/model/facts/log-index.ts'
import type { EntryDraft } from '../../../src/model/types.ts'
import { call, result, user } from '../../support/messages.ts'
import { compaction, REDACTED } from './drafts.ts'
import { contents, create, fork, found, read, refuses, said, say, sessionOf } from './helpers.ts'
import type { Start } from './world.ts'

/** A redaction removes an entry entirely. */
export function redactTests(start: Start): void {
  const secret = 'hunter2'

  it('overwrites what a message said, keeps its id, and appends the redaction', async () => {
    const { store, clock, issued } = await start()
    const session = await create(store)
    const before = await say(store, session, 'one', `my password is ${secret}`, 'three')
    clock.now += 1_000
    const [marker] = await store.redact(session.id, [2])
    expect(marker).toEqual({ id: marker?.id, seq: 4, at: clock.now, type: 'redact', target: 2 })
    expect(issued).toContain(marker?.id)
    expect(await read(store, session)).toEqual([
      before[0],
      { ...before[1], message: { role: 'user', content: REDACTED } },
      before[2],
      marker,
    ])
    expect(await sessionOf(store, session)).toMatchObject({ lastSeq: 4, revision: 4, updatedAt: clock.now })
    expect(await found(store, secret)).toEqual([])
    expect(await found(store, 'password')).toEqual([])
    expect(await found(store, 'hun')).toEqual([])
    expect(await found(store, 'three')).toEqual([3])
  })

  const drafts: readonly (readonly [string, EntryDraft])[] = [
    ['a text', said(user(secret))],
    ['parts', said({ role: 'user', content: [{ type: 'text', text: secret, providerOptions: { a: { b: secret } } }] })],
    [
      'a file',
      said({ role: 'user', content: [{ type: 'file', data: secret, filename: secret, mediaType: 'text/plain' }] }),
    ],
    ['reasoning', said({ role: 'assistant', content: [{ type: 'reasoning', text: secret }] })],
    ['a call', said(call('c', 'run', { command: secret }))],
    ['a result', said(result('c', secret))],
    ['raw output', { type: 'message', message: result('c', 'shown'), raw: secret }],
    ['data of a provider', said({ role: 'user', content: 'x', providerOptions: { a: { b: secret } } })],
    ['a summary', compaction({ summary: secret, focus: secret, flagged: [secret] })],
    ['a record', compaction({ parts: [{ section: 'Now', from: [], text: secret }] })],
    ['facts', compaction({ indexDelta: { users: [{ seq: 1, text: secret }] } })],
    ['an edited summary', { type: 'edit', of: 1, summary: secret }],
    ['a to-do', { type: 'todo', items: [{ text: secret, status: 'pending' }] }],
    ['a title', { type: 'settings', title: secret, model: 'some/model' }],
    ['a prompt', { type: 'settings', policy: { prompt: secret } }],
    ['a failure', { type: 'attempt', outcome: 'failed', reason: secret }],
    ['a repair', { type: 'repair', changes: [{ op: 'drop-message', seq: 1, why: secret }] }],
  ]

  it('leaves no part of a call that the client ran with other arguments, and keeps the next call', async () => {
    const { store } = await start()
    const session = await create(store)
    const calls = (id: string) => [
      { type: 'tool-call' as const, toolCallId: id, toolName: 'run', input: { command: secret } },
    ]
    await store.append(session.id, [
      said(call('c1', 'run', { command: `cd /w && ${secret}` })),
      { type: 'message', message: result('c1', 'done'), calls: calls('c1') },
      said(call('c2', 'run', { command: 'x' })),
      { type: 'message', message: result('c2', 'done'), calls: calls('c2') },
    ])
    const branch = await fork(store, session, 1)
    await store.append(branch.id, [{ type: 'message', message: result('c1', 'done'), calls: calls('c1') }])
    await store.redact(session.id, [1])
    expect(JSON.stringify((await read(store, session)).slice(0, 2))).not.toContain(secret)
    expect(JSON.stringify(await read(store, branch))).not.toContain(secret)
    expect((await read(store, session))[3]).toMatchObject({ calls: calls('c2') })
  })

  it.each(drafts)('leaves no part of %s', async (_, draft) => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    await store.append(session.id, [draft])
    await store.redact(session.id, [2])
    const stored = await read(store, session)
    expect(JSON.stringify(stored)).not.toContain(secret)
    expect(stored.map((entry) => entry.type)).toEqual(['message', draft.type, 'redact'])
    for (const query of [secret, 'hu', 'r2']) expect(await found(store, query)).toEqual([])
  })

  it('leaves no part of a title in the list of sessions', async () => {
    const { store } = await start()
    const session = await create(store)
    await store.append(session.id, [{ type: 'settings', title: `about ${secret}` }])
    await store.redact(session.id, [1])
    expect(JSON.stringify(await store.sessions())).not.toContain(secret)
    expect((await store.sessions({ text: secret })).sessions).toEqual([])
  })

  it('leaves nothing in all that repeats the entry: titles, to-dos, summaries, edits, failures', async () => {
    const { store } = await start()
    const key = 'sk-live-51Hx9zQ'
    const text = `My key is ${key}, put it into the settings of the shop and never show it to anybody`
    const title = `${text.slice(0, 59)}…`
    const session = await create(store, { title })
    await store.append(session.id, [
      { type: 'settings', title },
      said(user(text)),
      {
        type: 'todo',
        items: [
          { text: `put ${key} into .env`, status: 'pending' },
          { text: 'test', status: 'pending' },
        ],
      },
      said(user('go on')),
      compaction({ from: 1, upTo: 4, summary: `They gave ${key}`, focus: `keep ${key}`, flagged: [key] }),
      { type: 'edit', of: 5, summary: `The key ${key.slice(0, 8)}` },
      compaction({ from: 5, upTo: 6, summary: `Before that they gave ${key}` }),
      { type: 'attempt', outcome: 'failed', reason: `the model refused ${key}` },
      { type: 'settings', policy: { prompt: `Summarise, and leave ${key} out` } },
    ])
    const child = await create(store, { parent: { id: session.id, seq: 9 }, title: `${title} (fork)` })
    await store.append(child.id, [{ type: 'todo', items: [{ text: `use ${key}`, status: 'done' }] }])
    await store.redact(session.id, [2])
    for (const each of [session, child]) {
      expect(JSON.stringify(await read(store, each))).not.toMatch(/sk-live|My key/)
      expect(await found(store, { text: 'sk-live', session: each.id })).toEqual([])
    }
    expect(JSON.stringify(await store.sessions())).not.toMatch(/sk-live|My key/)
    expect((await store.sessions({ text: 'My key' })).sessions).toEqual([])
    expect(await found(store, 'sk-live')).toEqual([])
    const stored = await read(store, session)
    expect(stored[2]).toMatchObject({ items: [{ status: 'pending' }, { text: 'test' }] })
    expect(stored[3]).toMatchObject({ message: { content: 'go on' } })
  })

  it('leaves nothing in the instructions of an imported session but their other words, in forks too', async () => {
    const { store } = await start()
    const key = 'sk-live-51Hx9zQ'
    const session = await create(store)
    const origin = { agent: 'codex', model: 'gpt-5', system: `You are Codex.\nDeploy with "${key}" only.\nBe brief.` }
    const alone = { type: 'settings' as const, title: 'The shop', origin: { agent: 'codex', system: 'Be brief' } }
    await store.append(session.id, [
      { type: 'settings', title: 'Shop', origin },
      alone,
      said(user(`the key is ${key}`)),
    ])
    const child = await fork(store, session, 3)
    await store.append(child.id, [{ type: 'settings', origin }])
    await store.redact(session.id, [3])
    const clean = { ...origin, system: `You are Codex.\nDeploy with "${REDACTED}" only.\nBe brief.` }
    expect((await read(store, session)).slice(0, 2)).toMatchObject([{ title: 'Shop', origin: clean }, alone])
    expect((await read(store, child))[3]).toMatchObject({ origin: clean })
    expect(JSON.stringify([await read(store, session), await read(store, child)])).not.toContain('sk-live')
  })

  it('leaves a title and to-dos alone that the user wrote themselves', async () => {
    const { store } = await start()
    const session = await create(store, { title: 'upload' })
    await store.append(session.id, [
      said(user(`mend the upload of the shop, the password is ${secret}-Abc1`)),
      { type: 'todo', items: [{ text: 'mend the upload', status: 'pending' }] },
      compaction({ from: 9, upTo: 9, summary: 'The upload' }),
    ])
    const before = await read(store, session)
    await store.redact(session.id, [1])
    expect((await sessionOf(store, session)).title).toBe('upload')
    expect((await read(store, session)).slice(1, 3)).toEqual(before.slice(1))
  })

  it('takes the facts that came from the entry out of compactions, and no others', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, secret, 'two')
    const users = [
      { seq: 1, text: secret },
      { seq: 2, text: 'two' },
    ]
    const identifiers = [{ kind: 'hash' as const, text: secret, seq: 1 }]
    await store.append(session.id, [
      compaction({ upTo: 2, indexDelta: { users, identifiers } }),
      compaction({ upTo: 2 }),
    ])
    await store.redact(session.id, [1])
    const stored = await read(store, session)
    expect(JSON.stringify(stored)).not.toContain(secret)
    const facts = stored.flatMap((entry) => (entry.type === 'compaction' ? [mergeIndexes([entry.indexDelta])] : []))
    expect(facts.map((index) => index.users)).toEqual([[{ seq: 2, text: 'two' }], []])
  })

  it('takes the lines that come from the entry out of records, and no others', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, secret, 'two', 'three')
    const line = (seq: number, text: string) => ({ section: 'Now', from: [seq], text: `- #${seq} ${text}` })
    const parts = [line(1, secret), line(2, 'two'), line(3, 'three')]
    const child = await fork(store, session, 3)
    for (const each of [session, child]) {
      await store.append(each.id, [compaction({ upTo: 3, rung: 'digest', summary: '', parts })])
    }
    await store.redact(session.id, [1])
    for (const each of [session, child]) {
      const stored = await read(store, each)
      expect(JSON.stringify(stored)).not.toContain(secret)
      expect(stored[3]).toMatchObject({ summary: '', parts: [{ text: '' }, parts[1], parts[2]] })
    }
  })

  it('takes the command of a redacted call out of the error that came back', async () => {
    const { store } = await start()
    const session = await create(store)
    await store.append(session.id, [
      said(call('c', 'run', { command: `login ${secret}` })),
      said(result('c', 'denied')),
    ])
    const commands = [{ command: `login ${secret}`, seq: 1, runs: 1, ok: false }]
    const errors = [{ text: 'denied', seq: 2, command: `login ${secret}`, call: 1 }]
    await store.append(session.id, [compaction({ upTo: 2, indexDelta: { commands, errors } })])
    await store.redact(session.id, [1])
    expect(JSON.stringify(await read(store, session))).not.toContain(secret)
  })

  it('is for a fork too, whichever of them was asked', async () => {
    const { store } = await start()
    const parent = await create(store)
    await say(store, parent, `${secret} a`, `${secret} b`)
    const child = await fork(store, parent, 2)
    const grandchild = await fork(store, child, 2)
    const users = [
      { seq: 1, text: `${secret} a` },
      { seq: 2, text: `${secret} b` },
    ]
    for (const session of [parent, child, grandchild]) {
      await store.append(session.id, [compaction({ upTo: 2, indexDelta: { users } })])
    }
    await store.redact(parent.id, [1])
    await store.redact(grandchild.id, [2])
    for (const session of [parent, child, grandchild]) {
      expect(JSON.stringify(await read(store, session))).not.toContain(secret)
      expect(await found(store, { text: secret, session: session.id })).toEqual([])
    }
    expect(await found(store, secret)).toEqual([])
    expect(await read(store, parent, { upTo: 2 })).toEqual(await read(store, grandchild, { upTo: 2 }))
  })

  it('of several entries at once reaches each session that shares them', async () => {
    const { store } = await start()
    const parent = await create(store)
    await say(store, parent, `${secret} a`, 'two', `${secret} c`)
    const child = await fork(store, parent, 1)
    await say(store, child, `${secret} mine`)
    await store.append(parent.id, [compaction({ upTo: 3, summary: `It said ${secret} c` })])
    const mine = await read(store, child, { from: 2 })
    const [first, second, ...more] = await store.redact(parent.id, [3, 1, 3])
    expect([first, second, more]).toMatchObject([{ seq: 5, target: 3 }, { seq: 6, target: 1 }, []])
    expect(JSON.stringify(await read(store, parent))).not.toContain(secret)
    expect(await contents(store, parent)).toContain('two')
    expect(await read(store, child)).toMatchObject([
      { message: { content: REDACTED } },
      ...mine,
      { type: 'redact', target: 1 },
    ])
    await store.redact(child.id, [1, 2])
    expect(await found(store, secret)).toEqual([])
    expect((await read(store, child)).slice(-2)).toMatchObject([{ target: 1 }, { target: 2 }])
    expect(await store.redact(parent.id, [])).toEqual([])
  })

  it('leaves another entry alone that has the same seq in a fork, with its facts', async () => {
    const { store } = await start()
    const parent = await create(store)
    await say(store, parent, 'one', secret)
    const child = await fork(store, parent, 1)
    await say(store, child, 'mine')
    await store.append(child.id, [compaction({ upTo: 2, indexDelta: { users: [{ seq: 2, text: 'mine' }] } })])
    const before = await read(store, child)
    await store.redact(parent.id, [2])
    expect(await read(store, child)).toEqual(before)
    expect(await found(store, { text: 'mine', session: child.id })).toEqual([2])
  })

  it('of an entry that is not there changes nothing', async () => {
    const { store } = await start()
    const parent = await create(store)
    await say(store, parent, 'one', 'two')
    const child = await fork(store, parent, 1)
    for (const seq of [0, 3, -1]) await refuses(store.redact(parent.id, [seq]))
    await refuses(store.redact(child.id, [2]))
    await refuses(store.redact(parent.id, [1, 7]))
    expect(await contents(store, parent)).toEqual(['one', 'two'])
    expect(await contents(store, child)).toEqual(['one'])
  })
}
