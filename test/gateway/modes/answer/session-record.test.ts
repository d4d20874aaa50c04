import { expect, onTestFinished, test } from 'vitest'
import { sessionRecord } from '../../../../src/gateway/modes/answer/answer-mode.ts'
import type { EntryDraft, Message } from '../../../../src/model/types.ts'
import { openSession } from '../../../../src/session/open-session.ts'
import { openStore } from '../../../../src/store/open-store.ts'

test('a part is compacted while a later call waits for its result, which stays after the record', async () => {
  const { store, session, seqs } = await stored([...turns(8), ask('And now?'), call('late', 'sleep 9')])

  const record = await sessionRecord(store, { session, upTo: seqs.at(-3) ?? 0 }, INPUT)

  expect(record).toMatchObject({ ok: true, seq: (seqs.at(-1) ?? 0) + 1 })
  const { view } = await openSession(store, session)
  const [first, ...rest] = view.items.slice()
  expect(first?.kind).toBe('summary')
  expect(rest.map(({ message }) => message.role)).toEqual(['user', 'assistant'])
})

test('one summary is paid for a part, even if later messages fill the window and a call waits for its result', async () => {
  const { store, session, seqs } = await stored([...turns(8), ...laterWork('a line of the last step\n'.repeat(20_000))])
  const { asked, warm } = writer()

  const record = await sessionRecord(store, { session, upTo: seqs.at(-5) ?? 0 }, { ...INPUT, warm })

  expect(record).toMatchObject({ ok: true, text: expect.stringContaining('The parser is deployed') })
  expect(asked).toHaveLength(1)
  const { view } = await openSession(store, session)
  expect(view.items.slice().map(({ kind }) => kind)).toEqual(['summary', ...Array(4).fill('message')])
})

test('a part stays the same part when its session changes during the summary', async () => {
  const later = laterWork('a line')
  const { store, session, seqs } = await stored([...turns(8), ...later])
  const pins = [seqs[4], seqs.at(-4)].map((target = 0) => ({ type: 'pin', target, on: true }) as const)
  const { asked, warm } = writer(async (tries) => {
    if (tries === 1) await store.append(session, pins)
  })

  const record = await sessionRecord(store, { session, upTo: seqs.at(-5) ?? 0 }, { ...INPUT, warm })

  expect(record).toMatchObject({ ok: true, text: expect.not.stringContaining('And now?') })
  expect(asked).toHaveLength(2)
  const { view } = await openSession(store, session)
  expect(view.items.slice(-4).map(({ message }) => message)).toEqual(later)
})

test('results without an answer are quoted after the record', async () => {
  const { store, session, seqs } = await stored([
    ...turns(8),
    ask('Measure it'),
    call('m', 'measure'),
    result('m', '42.7 seconds'),
  ])

  const record = await sessionRecord(store, { session, upTo: seqs.at(-1) ?? 0 }, INPUT)

  expect(record).toMatchObject({
    ok: true,
    text: expect.stringMatching(/not been answered yet:[\s\S]*42\.7 seconds/),
  })
})

test('results that the model has answered are not quoted as unanswered, nor whole', async () => {
  const work = [ask('Measure it'), call('m', 'measure'), result('m', `42.7 seconds\n${'a line\n'.repeat(2_000)}`)]
  const { store, session, seqs } = await stored([...turns(8), ...work, call('late', 'sleep 9')])
  const { warm } = writer()

  const record = await sessionRecord(store, { session, upTo: seqs.at(-2) ?? 0 }, { ...INPUT, warm })

  const text = record.ok ? record.text : record.why
  expect(text).toContain('The parser is deployed')
  expect(text).not.toContain('answered')
  expect(text.split('a line\n').length).toBeLessThan(100)
  const { view } = await openSession(store, session)
  expect(view.items.slice().map(({ kind, message }) => [kind, message.role])).toEqual([
    ['summary', 'user'],
    ['message', 'assistant'],
  ])
})

test('a pinned message that the model has answered is quoted, but not as unanswered', async () => {
  const { store, session, seqs } = await stored([...turns(8), ask('Measure it')])
  await store.append(session, [{ type: 'pin', target: seqs[0] ?? 0, on: true }])

  const record = await sessionRecord(store, { session, upTo: seqs.at(-1) ?? 0 }, INPUT)

  const [kept = '', unanswered = ''] = record.ok ? record.text.split('not been answered yet:') : []
  expect(kept).toMatch(/kept word for word beside the record:\s+\[User\]: Please deploy step 0\n/)
  expect(unanswered.trim()).toBe('[User]: Measure it')
})

test('reminders of the agent are not quoted as unanswered', async () => {
  const reminder = '<system-reminder>\n<total_tokens>15000 tokens left</total_tokens>\n</system-reminder>'
  const { store, session, seqs } = await stored([...turns(8), ask(reminder), ask('Measure it')])

  const record = await sessionRecord(store, { session, upTo: seqs.at(-1) ?? 0 }, INPUT)

  const text = record.ok ? record.text : ''
  expect(text).toMatch(/not been answered yet:\s+\[User\]: Measure it$/)
})

test('reminders beside an unanswered message are not quoted, except for a message of the user in one', async () => {
  const skills = '<system-reminder>\nThe following skills are available.\n</system-reminder>'
  const sent =
    '<system-reminder>\nThe user sent a new message while you were working:\nNever use zebra-77\n</system-reminder>'
  const { store, session, seqs } = await stored([
    ...turns(8),
    { role: 'user', content: [skills, 'Measure it'].map((text) => ({ type: 'text', text })) },
    call('m', 'measure'),
    result('m', `42.7 seconds\n\n${skills}\n\n${sent}\n\n${skills}`),
  ])

  const record = await sessionRecord(store, { session, upTo: seqs.at(-1) ?? 0 }, INPUT)

  const text = record.ok ? record.text : ''
  expect(text).toMatch(/not been answered yet:[\s\S]*42\.7 seconds\s[\s\S]*Never use zebra-77/)
  expect(text).not.toContain('The following skills')
})

test("the text of a user's command, a hook or a task beside an unanswered question is quoted", async () => {
  const skills = '<system-reminder>\nThe following skills are available.\n</system-reminder>'
  const said = [
    '<bash-input>npm test</bash-input>',
    '<bash-stdout>11 of 12 passed</bash-stdout>',
    '<task-notification>Task zebra-77 has ended</task-notification>',
    'Stop hook feedback:\nThe linter has found 3 faults',
    '<attached_file>\nThe notes of the last run\n</attached_file>',
  ]
  const { store, session, seqs } = await stored([
    ...turns(8),
    { role: 'user', content: [skills, ...said, 'Measure it', skills].map((text) => ({ type: 'text', text })) },
  ])

  const record = await sessionRecord(store, { session, upTo: seqs.at(-1) ?? 0 }, INPUT)

  const text = record.ok ? record.text : ''
  for (const each of said) expect(text).toContain(each)
  expect(text).not.toContain('The following skills')
})

test('a part that was compacted before gets the same record', async () => {
  const { store, session, seqs } = await stored([
    ...turns(8),
    ask('Measure it'),
    call('m', 'measure'),
    result('m', '42.7 seconds'),
  ])
  const part = { session, upTo: seqs.at(-1) ?? 0 }
  const first = await sessionRecord(store, part, INPUT)

  const second = await sessionRecord(store, part, INPUT)

  const { text, seq } = first.ok ? first : { text: '', seq: 0 }
  expect(second).toMatchObject({ ok: true, text, seq, how: 'from the log, as before' })
})

test('a quoted part ends at its last words, with the results of its last call', async () => {
  const { store, session, seqs } = await stored([...turns(9)])
  const transcript = `[User]: Please deploy step 0\n\n[User]: Please deploy step 5\n\n[Assistant]: I run the tests of step 5`

  await sessionRecord(store, { session, upTo: seqs.at(-1) ?? 0, transcript }, INPUT)

  const { view } = await openSession(store, session)
  const kept = view.items.slice().flatMap(({ kind, message }) => (kind === 'message' ? [JSON.stringify(message)] : []))
  expect(kept.some((text) => text.includes('Please deploy step 6'))).toBe(true)
  expect(kept.some((text) => text.includes('Please deploy step 4'))).toBe(false)
})

test('a quoted part reaches to its last result, even if the agent said nothing', async () => {
  const silent = [ask('Please measure all of it'), call('m', 'measure'), result('m', 'It took 42.7 seconds in all')]
  const { store, session, seqs } = await stored([...turns(8), ...silent, ...turns(1)])
  const transcript = '[User]: Please measure all of it\n\n[Tool result]: It took 42.7 seconds in all'

  const record = await sessionRecord(store, { session, upTo: seqs.at(-1) ?? 0, transcript }, INPUT)

  expect(record).toMatchObject({ ok: true, text: expect.stringContaining('42.7 seconds') })
})

const INPUT = { policy: {}, holder: 'test:1', clock: Date.now, model: { contextWindow: 200_000 }, summaryModels: [] }

/** Work after the part, which ends with a call without its result. */
function laterWork(printed: string): Message[] {
  return [ask('And now?'), call('long', 'npm run all'), result('long', printed), call('late', 'sleep 9')]
}

/** A model that writes summaries, and the directives that it got. */
function writer(meanwhile: (tries: number) => Promise<void> = async () => undefined) {
  const asked: string[] = []
  const stream = async function* (directive: string) {
    await meanwhile(asked.push(directive))
    yield '## Current state\nThe parser is deployed, and npm test passes with 12 tests.'
    yield { type: 'finish', reason: 'stop' } as const
  }
  return { asked, warm: { name: 'local/model', isSentAnyway: true, stream } as const }
}

async function stored(messages: readonly Message[]) {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const { id } = await store.createSession({ owner: 'local', workspace: '/w' })
  const appended = await store.append(
    id,
    messages.map((message): EntryDraft => ({ type: 'message', message })),
  )
  return { store, session: id, seqs: appended.ok ? appended.entries.map(({ seq }) => seq) : [] }
}

function turns(count: number): Message[] {
  return Array.from({ length: count }, (_, i): Message[] => [
    ask(`Please deploy step ${i}`),
    call(`c${i}`, `npm test -- ${i}`, `I run the tests of step ${i}`),
    result(`c${i}`, `12 passed\n${'a line\n'.repeat(60)}`),
    { role: 'assistant', content: `Step ${i} is done and checked.` },
  ]).flat()
}

function ask(content: string): Message {
  return { role: 'user', content }
}

function call(toolCallId: string, command: string, text?: string): Message {
  const said = text === undefined ? [] : [{ type: 'text' as const, text }]
  return {
    role: 'assistant',
    content: [...said, { type: 'tool-call', toolCallId, toolName: 'bash', input: { command } }],
  }
}

function result(toolCallId: string, value: string): Message {
  return {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId, toolName: 'bash', output: { type: 'text', value } }],
  }
}
