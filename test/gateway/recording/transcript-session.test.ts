import { expect, onTestFinished, test } from 'vitest'
import { sessionRecord } from '../../../src/gateway/modes/answer/answer-mode.ts'
import { transcriptSession } from '../../../src/gateway/recording/transcript-session.ts'
import type { Message } from '../../../src/model/types.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { SessionId, Store } from '../../../src/store/store.ts'

const HERE = { owner: 'local', workspace: '/w', holder: 'test:1' }
const PROMPT = 'Find out which parser is the faster one'

const TRANSCRIPT = `Here is the conversation so far:

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
  expect(await transcriptSession({ store, ...HERE }, TRANSCRIPT, child)).toMatchObject({ session: parent })
  expect(await transcriptSession({ store, ...HERE }, TRANSCRIPT, undefined)).toMatchObject({ session: parent })
})

test('a request for a title that was answered last is not taken for the conversation', async () => {
  const store = await opened()
  const work = await recorded(store, WORK)
  const title = await recorded(store, [
    { role: 'user', content: 'Generate a title for this conversation:' },
    { role: 'user', content: 'Look at both parsers, please' },
    { role: 'assistant', content: 'Two parsers compared' },
  ])
  expect(await transcriptSession({ store, ...HERE }, TRANSCRIPT, title)).toMatchObject({ session: work })
})

test('of two conversations that are quoted at equal length, the one that was answered last is meant', async () => {
  const store = await opened()
  const first = await recorded(store, WORK)
  const second = await recorded(store, WORK)
  expect(await transcriptSession({ store, ...HERE }, TRANSCRIPT, first)).toMatchObject({ session: first })
  expect(await transcriptSession({ store, ...HERE }, TRANSCRIPT, second)).toMatchObject({ session: second })
})

test('words that an older session with the same prompt repeats do not make it the quoted one', async () => {
  const store = await opened()
  const edits = Array.from(
    { length: 20 },
    (): Message => ({ role: 'assistant', content: 'Edit applied successfully.' }),
  )
  await recorded(store, [...WORK.slice(0, 1), ...edits])
  const second = await recorded(store, [
    ...WORK.slice(0, 1),
    ...edits.slice(0, 1),
    { role: 'assistant', content: 'The old parser reads each line twice.' },
    { role: 'assistant', content: 'The new one reads it once.' },
  ])
  const transcript = `<conversation>
[User]: Look at both parsers, please
[Tool result]: Edit applied successfully.
[Assistant]: The old parser reads each line twice.
[Assistant]: The new one reads it once.
</conversation>`
  expect(await transcriptSession({ store, ...HERE }, transcript, second)).toMatchObject({ session: second })
  expect(await transcriptSession({ store, ...HERE }, transcript, undefined)).toMatchObject({ session: second })
})

test('a conversation that was answered last is meant although a bit more of another one is quoted', async () => {
  const store = await opened()
  const first = await recorded(store, [...WORK, { role: 'assistant', content: 'The new parser is twice as fast.' }])
  const second = await recorded(store, WORK)
  expect(await transcriptSession({ store, ...HERE }, TRANSCRIPT, second)).toMatchObject({ session: second })
  expect(await transcriptSession({ store, ...HERE }, TRANSCRIPT, undefined)).toMatchObject({ session: first })
})

test('a conversation is not known by a sentence that its agent says in the name of the user', async () => {
  const store = await opened()
  const sentence =
    'Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed.'
  const other = await recorded(store, [{ role: 'user', content: sentence }])
  expect(await transcriptSession({ store, ...HERE }, `[User]: ${sentence}\n`, other)).toBeUndefined()
})

test.each(['Now the old one.', 'Go on.'])(
  'a conversation is known by its record if the user says nothing after it: %s',
  async (content) => {
    const store = await opened()
    const session = await recorded(store, [
      ...WORK,
      ...Array.from(
        { length: 8 },
        (_, i): Message => ({ role: 'assistant', content: `Part ${i}: ${'measured. '.repeat(99)}` }),
      ),
    ])
    const made = await sessionRecord(store, { session, upTo: 10 }, { policy: {}, holder: 'test:1', clock: () => 0 })
    await store.append(session, [{ type: 'message', message: { role: 'assistant', content } }])
    const transcript = `<conversation>
[Assistant]: ${content}
</conversation>

<previous-summary>
${made.ok ? made.text : ''}
</previous-summary>`
    const other = await recorded(store, [{ role: 'user', content: 'Write the release notes' }])
    expect(made.ok).toBe(true)
    expect(await transcriptSession({ store, ...HERE }, transcript, other)).toMatchObject({ session })
    const alike = `[User]: Write the release notes\n${transcript}`
    expect(await transcriptSession({ store, ...HERE }, alike, other)).toMatchObject({ session })
  },
)

test('a conversation is known by a short prompt with the file that it names, which is quoted after it', async () => {
  const store = await opened()
  const read = 'Called the Read tool with the following input: {"filePath":"/w/n.txt"}'
  const session = await recorded(store, [
    { role: 'user', content: ['fix @n.txt', read, '1: one line'].map((text) => ({ type: 'text', text })) },
  ])
  const transcript = `<conversation>\n[User]: fix @n.txt\n${read}\n1: one line\n\n</conversation>`
  expect(await transcriptSession({ store, ...HERE }, transcript, undefined)).toMatchObject({ session })
})

test('a look at another conversation repairs nothing in it', async () => {
  const store = await opened()
  const call = { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: {} } as const
  const broken = await recorded(store, [
    { role: 'user', content: 'Write the release notes' },
    { role: 'assistant', content: [call] },
    { role: 'user', content: 'Leave the call' },
  ])
  const before = await store.session(broken)
  const session = await recorded(store, WORK)
  expect(await transcriptSession({ store, ...HERE }, TRANSCRIPT, undefined)).toMatchObject({ session })
  expect(await store.session(broken)).toEqual(before)
})

test('others get their turn while sessions are looked at', async () => {
  const store = await opened()
  const session = await recorded(store, WORK)
  let hadTurn = false
  setImmediate(() => {
    hadTurn = true
  })
  expect(await transcriptSession({ store, ...HERE }, TRANSCRIPT, undefined)).toMatchObject({ session })
  expect(hadTurn).toBe(true)
})

test('a conversation that was not recorded is not taken for another one', async () => {
  const store = await opened()
  const other = await recorded(store, [{ role: 'user', content: 'Write the release notes' }])
  expect(await transcriptSession({ store, ...HERE }, TRANSCRIPT, other)).toBeUndefined()
})

test('a fork that was answered last is not taken for the conversation that matches more of the text', async () => {
  const store = await opened()
  const result: Message = { role: 'assistant', content: 'The new parser is twice as fast.' }
  const work = await recorded(store, [...WORK, result])
  const fork = await recorded(store, [...WORK, { role: 'assistant', content: 'The key is tangerine-88.' }])
  expect(await transcriptSession({ store, ...HERE }, TRANSCRIPT, fork)).toMatchObject({ session: work })
})

test('the same words in another project or of another owner are not the quoted conversation', async () => {
  const store = await opened()
  await recorded(store, WORK, { workspace: '/elsewhere' })
  const hers = await recorded(store, WORK, { owner: 'ann' })
  // One server has a gateway for each of its owners.
  await store.markChain(hers, [{ value: 'v', seq: 2 }], HERE.holder)
  expect(await transcriptSession({ store, ...HERE }, TRANSCRIPT, undefined)).toBeUndefined()
})

test('a session of another folder that continues behind this gateway is found', async () => {
  const store = await opened()
  const work = await recorded(store, WORK, { workspace: '/elsewhere' })
  await store.markChain(work, [{ value: 'v', seq: 2 }], HERE.holder)
  expect(await transcriptSession({ store, ...HERE }, TRANSCRIPT, undefined)).toMatchObject({ session: work })
})

async function opened(): Promise<Store> {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  return store
}

async function recorded(
  store: Store,
  messages: readonly Message[],
  { owner = 'local', workspace = '/w' } = {},
): Promise<SessionId> {
  const { id } = await store.createSession({ owner, workspace })
  await store.append(
    id,
    messages.map((message) => ({ type: 'message', message })),
  )
  return id
}
