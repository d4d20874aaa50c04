import { expect, it } from 'vitest'
import type { Entry, EntryDraft, Message } from '../../../src/model/types.ts'
import { call, result, user } from '../../support/messages.ts'
import { compaction, everyDraft } from './drafts.ts'
import { added, body, create, found, present, range, read, said, say, sorted, texts } from './helpers.ts'
import type { Start } from './world.ts'

/** That an entry comes back as it was, whatever it says. */
export function roundTripTests(start: Start): void {
  it.each(everyDraft)('of the type $type comes back as it was', async (draft) => {
    const { store } = await start()
    const session = await create(store)
    const [answer] = added(await store.append(session.id, [draft]))
    const [stored] = await read(store, session)
    expect(sorted(JSON.parse(body(present(stored))))).toEqual(sorted(draft))
    expect(stored).toEqual(answer)
  })

  const hostile: readonly (readonly [string, string])[] = [
    ['a NUL', 'a\u0000b\u0000'],
    ['every control character', String.fromCharCode(...range(0, 159))],
    ['half an emoji', 'high \ud83c low \udf89 reversed \udf89\ud83c'],
    ['an escape that looks like a NUL', '\\u0000 \\\\u0000 \\ud83c \\x00'],
    ['CJK and emoji', '你好，世界 こんにちは 안녕 👩‍💻🎉 e\u0301'],
    ['text of both directions and of no width', '\u202eabc\u202c \u200b\ufeff'],
    ['line ends', 'a\r\nb\rc\nd\u2028e\u2029f'],
    ['quotes and wildcards', `' " \` \\ % _ * ; -- /* $1 $& ? :a @b {} []`],
    ['the largest code points', '\u{10ffff}\uffff\ufffe\ufffd'],
    ['nothing', ''],
    ['blanks', '  \t\n  '],
  ]
  const all = hostile.map(([, text]) => text).join(' ')
  const both = [...hostile, ['a little of all that in much plain text', `${'plain '.repeat(2_000)}${all}`]] as const

  it.each(both)('with %s comes back byte for byte', async (_, text) => {
    const { store } = await start()
    const session = await create(store)
    const drafts: EntryDraft[] = [
      said(user(text)),
      said({
        role: 'assistant',
        content: [
          { type: 'reasoning', text, providerOptions: { anthropic: { signature: text } } },
          { type: 'tool-call', toolCallId: text, toolName: 'write', input: { [text]: [text, { deep: text }] } },
        ],
      }),
      said(result('c', text)),
      compaction({
        summary: text,
        parts: [{ from: [1], text }],
        indexDelta: { users: [{ seq: 1, text }] },
        focus: text,
      }),
      { type: 'edit', of: 4, summary: text },
      { type: 'todo', items: [{ text, status: 'done' }] },
      { type: 'attempt', outcome: 'failed', reason: text },
    ]
    const answer = added(await store.append(session.id, drafts))
    const stored = await read(store, session)
    expect(stored).toEqual(answer)
    expect(stored.map((entry) => sorted(JSON.parse(body(entry))))).toEqual(drafts.map(sorted))
  })

  it('keeps data of a provider to the byte, the order of its keys too', async () => {
    const { store } = await start()
    const session = await create(store)
    const input: unknown = JSON.parse(
      '{"zeta":1,"alpha":{"b":[],"a":{}},"":null,"__proto__":{"x":1},"n":[0.1,1e21,1e-7,9007199254740991,-5.5,true,false]}',
    )
    const message: Message = {
      role: 'assistant',
      content: [
        {
          type: 'reasoning',
          text: 'hm',
          providerOptions: { zebra: { signature: 'x==', b: 1, a: [null] }, anthropic: { redactedData: '\u0000' } },
        },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'run', input, providerOptions: { openai: { id: 'fc_1' } } },
      ],
      providerOptions: { b: { y: 2, x: 1 }, a: {} },
    }
    await store.append(session.id, [said(message)])
    const [stored] = await read(store, session)
    expect(JSON.stringify(stored?.type === 'message' && stored.message)).toBe(JSON.stringify(message))
  })

  it('is the same text whenever it is read', async () => {
    const { store } = await start()
    const session = await create(store)
    const answer = added(await store.append(session.id, everyDraft))
    const once = JSON.stringify(await read(store, session))
    expect(JSON.stringify(answer.map(sorted))).toBe(JSON.stringify((JSON.parse(once) as unknown[]).map(sorted)))
    await say(store, session, 'more')
    expect(JSON.stringify(await read(store, session, { upTo: everyDraft.length }))).toBe(once)
  })

  it('with two million characters comes back whole, and is found', async () => {
    const { store } = await start()
    const session = await create(store)
    const line = (i: number) => `line ${i} of the output, 数据 🎉 ${(i * 7919).toString(36)}\n`
    const text = `needle ${range(1, 60_000).map(line).join('')}`
    expect(text.length).toBeGreaterThan(2_000_000)
    await store.append(session.id, [said(result('c', text)), ...texts('small')])
    const [stored] = await read(store, session)
    const expected = body({ ...said(result('c', text)), id: '', seq: 0, at: 0 } as Entry)
    expect(body(present(stored)) === expected).toBe(true)
    expect(await found(store, 'needle')).toEqual([1])
    expect(await found(store, 'line 77 of')).toEqual([1])
  })

  it('does not depend on the draft, which the caller may change', async () => {
    const { store } = await start()
    const session = await create(store)
    const input = { path: 'a.ts' }
    await store.append(session.id, [said(call('c', 'read', input))])
    input.path = 'changed'
    expect(JSON.stringify(await read(store, session))).toContain('a.ts')
  })
}
