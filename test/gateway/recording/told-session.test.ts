import { expect, onTestFinished, test } from 'vitest'
import { sessionRecord } from '../../../src/gateway/modes/answer/session-record.ts'
import { toldSession } from '../../../src/gateway/recording/told-session.ts'
import type { Message } from '../../../src/model/message.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { SessionId, Store } from '../../../src/store/store.ts'

const PROMPT = 'Find out which parser is the faster one'

const TOLD = `Here is the conversation so far:

<conversation>
[User]: Look at both parsers, please
[Assistant]: A sub-agent measures them.
[Assistant tool call]: task({"description":"measure","prompt":"${PROMPT}"})
[Tool result]: The new parser is twice as fast.

</conversation>

Create a new anchored summary.`

const WORK: readonly Message[] = [
  { role: 'user', content: 'Look at both parsers, please' },
  { role: 'assistant', content: 'A sub-agent measures them.' },
]

test('a sub-agent that was answered last is not taken for the agent that called it', async () => {
  const store = await opened()
  const parent = await recorded(store, WORK)
  const child = await recorded(store, [
    { role: 'user', content: PROMPT },
    { role: 'assistant', content: 'The new parser is twice as fast.' },
  ])
  expect(await toldSession(store, 'local', TOLD, child)).toMatchObject({ session: parent })
  expect(await toldSession(store, 'local', TOLD, undefined)).toMatchObject({ session: parent })
})

test('a request for a title that was answered last is not taken for the conversation', async () => {
  const store = await opened()
  const work = await recorded(store, WORK)
  const title = await recorded(store, [
    { role: 'user', content: 'Generate a title for this conversation:' },
    { role: 'user', content: 'Look at both parsers, please' },
    { role: 'assistant', content: 'Two parsers compared' },
  ])
  expect(await toldSession(store, 'local', TOLD, title)).toMatchObject({ session: work })
})

test('of two conversations of which as much is told, the one that was answered last is meant', async () => {
  const store = await opened()
  const first = await recorded(store, WORK)
  const second = await recorded(store, WORK)
  expect(await toldSession(store, 'local', TOLD, first)).toMatchObject({ session: first })
  expect(await toldSession(store, 'local', TOLD, second)).toMatchObject({ session: second })
})

test('a conversation is known by its record where the user says nothing behind it', async () => {
  const store = await opened()
  const session = await recorded(store, [
    ...WORK,
    ...Array.from(
      { length: 8 },
      (_, i): Message => ({ role: 'assistant', content: `Part ${i}: ${'measured. '.repeat(99)}` }),
    ),
  ])
  const made = await sessionRecord(store, { session, upTo: 10 }, { policy: {}, holder: 'test:1', clock: () => 0 })
  await store.append(session, [{ type: 'message', message: { role: 'assistant', content: 'Now the old one.' } }])
  const told = `<conversation>
[Assistant]: Now the old one.
</conversation>

<previous-summary>
${made.ok ? made.text : ''}
</previous-summary>`
  const other = await recorded(store, [{ role: 'user', content: 'Write the release notes' }])
  expect(made.ok).toBe(true)
  expect(await toldSession(store, 'local', told, other)).toMatchObject({ session })
})

test('a conversation that nobody recorded is not taken for another one', async () => {
  const store = await opened()
  const other = await recorded(store, [{ role: 'user', content: 'Write the release notes' }])
  expect(await toldSession(store, 'local', TOLD, other)).toBeUndefined()
})

async function opened(): Promise<Store> {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  return store
}

async function recorded(store: Store, messages: readonly Message[]): Promise<SessionId> {
  const { id } = await store.createSession({ owner: 'local', workspace: '/w' })
  await store.append(
    id,
    messages.map((message) => ({ type: 'message', message })),
  )
  return id
}
