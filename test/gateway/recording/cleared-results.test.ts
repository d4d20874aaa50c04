import { expect, it, onTestFinished } from 'vitest'
import { readRequest } from '../../../src/gateway/faces/read-request.ts'
import { SessionRecorder } from '../../../src/gateway/recording/session-recorder.ts'
import { openStore } from '../../../src/store/open-store.ts'

const OLD = Array.from({ length: 40 }, (_, line) => `line ${line} of the file`).join('\n')
const CLAUDE = '[Old tool result content cleared]'
const GEMINI = `<tool_output_masked>\n${OLD.slice(0, 100)}\n... [30 lines omitted] ...\n</tool_output_masked>`

const asked = { role: 'user', content: 'Read the files.' }
const read = (id: string) => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: `/w/${id}.ts` } }],
})
const result = (id: string, content: string) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content }],
})

async function world() {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const recorder = new SessionRecorder({ store, holder: 'other-machine:1', owner: 'local', workspace: '/w' })
  const send = async (...messages: readonly object[]) => {
    const body = Buffer.from(JSON.stringify({ model: 'm', messages }))
    const request = readRequest({ method: 'POST', path: '/v1/messages', headers: {}, body })
    if (request === undefined) throw new Error('the request is not read')
    return recorder.addRequest(request)
  }
  return { store, send }
}

const before = [asked, read('a'), result('a', OLD), read('b'), result('b', OLD)]

it.each([
  ['Claude Code', CLAUDE],
  ['Gemini CLI', GEMINI],
])('a conversation whose old results %s clears stays one session, with the whole results', async (_, cleared) => {
  const { store, send } = await world()
  const first = await send(...before)
  await send(asked, read('a'), result('a', cleared), read('b'), result('b', OLD), read('c'), result('c', OLD))
  const later = [read('c'), result('c', OLD), read('d'), result('d', OLD)]
  const last = await send(asked, read('a'), result('a', cleared), read('b'), result('b', cleared), ...later)
  expect(last.session).toBe(first.session)
  const { sessions } = await store.sessions()
  expect(sessions).toHaveLength(1)
  const { entries } = await store.entries(sessions[0]?.id ?? '', { only: 'messages' })
  expect(entries).toHaveLength(9)
  expect(JSON.stringify(entries)).not.toMatch(/cleared|masked/)
})

it('a result that is another one makes a branch', async () => {
  const { store, send } = await world()
  await send(...before)
  await send(asked, read('a'), result('a', 'No such file.'), read('b'), result('b', OLD))
  expect((await store.sessions()).sessions).toHaveLength(2)
})
