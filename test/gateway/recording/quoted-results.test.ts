import { expect, onTestFinished, test } from 'vitest'
import { quotedResults, transcriptSession } from '../../../src/gateway/recording/transcript-session.ts'
import type { Message } from '../../../src/model/types.ts'
import { openStore } from '../../../src/store/open-store.ts'

const TRANSCRIPT = `Here is the conversation so far:

<conversation>
[User]: Look at both parsers, please
[Assistant]: First the old one.
[Assistant tool call]: read({"path":"old.ts"})
[Tool result]: the old one
[Assistant]: Now the others.
[Assistant tool call]: read({"path":"a.ts"})
[Tool result]: const a = 1

// [Tool result]: is only a comment
[Assistant tool call]: read({"path":"b.ts"})
[Tool error]: no such file

</conversation>

Create a new anchored summary.`

const step: Message = {
  role: 'assistant',
  content: [
    { type: 'text', text: 'Now the others.' },
    { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { path: 'a.ts' } },
    { type: 'tool-call', toolCallId: 'b', toolName: 'read', input: { path: 'b.ts' } },
  ],
}

const results: Message = {
  role: 'tool',
  content: [
    {
      type: 'tool-result',
      toolCallId: 'a',
      toolName: 'read',
      output: { type: 'text', value: 'const a = 1\n\n// [Tool result]: is only a comment' },
    },
    { type: 'tool-result', toolCallId: 'b', toolName: 'read', output: { type: 'text', value: 'no such file' } },
  ],
}

test("the results of the last calls are read from the client's transcript", () => {
  expect(quotedResults(step, TRANSCRIPT)).toEqual(results)
})

test('nothing is read if no call is open, or other calls are quoted last', () => {
  expect(quotedResults({ role: 'assistant', content: 'Done.' }, TRANSCRIPT)).toBeUndefined()
  expect(quotedResults(step, TRANSCRIPT.replace('[Tool error]', ''))).toBeUndefined()
  expect(quotedResults(step, TRANSCRIPT.replace('b.ts', 'c.ts'))).toBeUndefined()
})

test('a session that ends with an open call gets the results that the client quotes', async () => {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const { id } = await store.createSession({ owner: 'local', workspace: '/w' })
  const question: Message = { role: 'user', content: 'Look at both parsers, please' }
  await store.append(
    id,
    [question, step].map((message) => ({ type: 'message', message })),
  )
  expect(
    await transcriptSession({ store, owner: 'local', workspace: '/w', holder: 'test:1' }, TRANSCRIPT, undefined),
  ).toEqual({
    session: id,
    seq: 3,
  })
  expect(await transcriptSession({ store, owner: 'local', workspace: '/w', holder: 'test:1' }, TRANSCRIPT, id)).toEqual(
    {
      session: id,
      seq: 3,
    },
  )
  const { entries } = await store.entries(id)
  expect(entries.at(-1)).toMatchObject({ type: 'message', message: results })
})
