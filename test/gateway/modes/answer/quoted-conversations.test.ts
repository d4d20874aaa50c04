import { expect, test } from 'vitest'
import { faceNamed } from '../../../../src/gateway/faces/read-request.ts'
import { type Message as OwnMessage, textOf } from '../../../../src/model/types.ts'
import { openSession } from '../../../../src/session/open-session.ts'
import { type AnswerWorld, answerWorld } from './answer-world.ts'

type Message = { readonly role: string; readonly content: unknown }

const SUMMARY = '## Current state\nThe parser in src/parser.ts is deployed, and npm test passes with 12 tests.'

test('a client that sends its conversation as one text gets the record of the session, and keeps its tail', async () => {
  const world = await answerWorld(({ body }) =>
    body.includes('This message is from the program') ? SUMMARY : 'Step done and checked.',
  )
  const messages = await worked(world)
  const quoted = messages
    .slice(0, 32)
    .map(({ content }) => `[User]: ${quotedText(content)}`)
    .join('\n\n')

  // Another conversation was answered last.
  await world.send('/v1/messages', requestOf([ask('What is the weather like today?')]))
  const { body } = await world.send('/v1/messages', {
    model: 'claude-sonnet-4-5',
    system: [{ type: 'text', text: 'You are a context summarization assistant. Your task is to read.' }],
    messages: [
      { role: 'user', content: [{ type: 'text', text: `<conversation>\n${quoted}\n</conversation>\n\nSummarize.` }] },
    ],
    stream: true,
  })

  const record = textOf(faceNamed('anthropic').answerOf(body, 0)?.message ?? NONE)
  expect(record).toContain('The parser in src/parser.ts is deployed')
  expect(world.seen.at(-1)?.body).toContain('</conversation>')
  const frame = {
    role: 'user',
    content: [{ type: 'text', text: `The history was compacted:\n\n<summary>\n${record}\n</summary>` }],
  }
  await world.send('/v1/messages', requestOf([frame, ...messages.slice(32), done, ask('Now write the changelog')]))
  await world.gateway.stop()
  const { sessions } = await world.store.sessions({ owner: 'local' })
  const own = sessions.find(({ title }) => title?.includes('deploy step 0'))
  const texts = (await openSession(world.store, own?.id ?? '')).view.items.slice().map(({ message }) => textOf(message))
  expect(texts.filter((text) => text.includes('Please deploy step 8'))).toHaveLength(1)
  expect(texts.at(-2)).toBe('Now write the changelog')
})

test.each([
  ['that began the session gets the record', 0, '[pith-record:'],
  [
    'that came later stays with the model, whose words come below the record of what was before',
    4,
    'The middle of a turn',
  ],
] as const)('a client that splits a turn %s', async (_, from, answered) => {
  const world = await answerWorld(({ body }) => {
    if (body.includes('This message is from')) return SUMMARY
    return body.includes('# Instructions') ? 'The middle of a turn, as the model tells it.' : STEP
  })
  const messages = await worked(world)
  const quoted = messages
    .slice(from, 32)
    .map(({ role, content }) => `[${role === 'user' ? 'User' : 'Assistant'}]: ${quotedText(content)}`)
  const text = `# Conversation\n${quoted.join('\n\n')}\n\n# Instructions\nThe messages above are earlier context.`
  const system = [{ type: 'text', text: 'You are a context summarization assistant. Your task is to read.' }]
  const { body } = await world.send('/v1/messages', { ...requestOf([ask(text)]), tools: [], system })
  const summary = textOf(faceNamed('anthropic').answerOf(body, 0)?.message ?? NONE)
  expect(summary).toContain(answered)
  await world.send('/v1/messages', requestOf([ask(`Before:\n\n${summary}`), ...messages.slice(32), done, ask('Go on')]))
  await world.gateway.stop()
  const { sessions } = await world.store.sessions({ owner: 'local' })
  expect(sessions).toHaveLength(1)
})

test('a tail that begins before the end of the compacted part is not recorded twice', async () => {
  const world = await answerWorld(({ body }) => (body.includes('This message is from') ? SUMMARY : STEP))
  // Results that are all alike hide where the quoted part ends.
  const messages = await worked(world, () => 'a line\n'.repeat(60))
  const quoted = messages.slice(0, 27).map(({ content }) => `[User]: ${quotedText(content)}`)
  const text = `<conversation>\n${quoted.join('\n\n')}\n</conversation>\n\nSummarize.`
  const system = [{ type: 'text', text: 'You are a context summarization assistant. Your task is to read.' }]
  const { body } = await world.send('/v1/messages', { ...requestOf([ask(text)]), tools: [], system })
  const record = textOf(faceNamed('anthropic').answerOf(body, 0)?.message ?? NONE)
  const frame = [ask(`It was compacted:\n\n${record}`), { role: 'assistant', content: 'Got it. Thanks!' }]
  const next = [...frame, ...messages.slice(27), done, ask('Now write the changelog')]
  await world.send('/v1/messages', requestOf(next))
  await world.gateway.stop()

  const { sessions } = await world.store.sessions({ owner: 'local' })
  const own = sessions.find(({ title }) => title?.includes('deploy step 0'))
  const { entries } = await world.store.entries(own?.id ?? '', { only: 'messages' })
  const texts = entries.map((entry) => (entry.type === 'message' ? textOf(entry.message) : ''))
  expect(texts.filter((said) => said.startsWith('Please deploy step'))).toHaveLength(9)
  expect(texts.slice(-2)).toEqual(['Now write the changelog', STEP])
})

test('the question whether a snapshot is complete is answered with the snapshot, and no model is asked', async () => {
  const world = await answerWorld(({ body }) =>
    body.includes('This message is from the program') ? SUMMARY : 'Step done and checked.',
  )
  const contents = []
  for (let i = 0; i < 10; i++) {
    contents.push({ role: 'user', parts: [{ text: `Please deploy step ${i}. ${'It matters. '.repeat(60)}` }] })
    await world.send(PATH, { contents })
    contents.push({ role: 'model', parts: [{ text: 'Step done and checked.' }] })
  }
  const systemInstruction = { parts: [{ text: 'You distill chat history into a structured XML <state_snapshot>.' }] }
  const first = { role: 'user', parts: [{ text: 'Then, generate the updated <state_snapshot>.' }] }
  const { body } = await world.send(PATH, { contents: [...contents, first], systemInstruction })
  const snapshot = textOf(faceNamed('gemini').answerOf(body, 0)?.message ?? NONE)
  const before = world.seen.length
  const second = { role: 'user', parts: [{ text: 'Critically evaluate the <state_snapshot> you just generated.' }] }

  const check = await world.send(PATH, {
    contents: [...contents, { role: 'model', parts: [{ text: snapshot }] }, second],
    systemInstruction,
  })

  expect(snapshot).toMatch(/^<state_snapshot>\n[\s\S]*<\/state_snapshot>$/)
  expect(textOf(faceNamed('gemini').answerOf(check.body, 0)?.message ?? NONE)).toBe(snapshot)
  expect(world.seen).toHaveLength(before)
})

const STEP = 'Step done and checked.'
const PATH = '/v1beta/models/gemini-2.5-pro:generateContent'
const NONE: OwnMessage = { role: 'user', content: '' }
const done: Message = { role: 'assistant', content: [{ type: 'text', text: 'Step done and checked.' }] }

function ask(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] }
}

function requestOf(messages: readonly Message[]): object {
  return {
    model: 'claude-sonnet-4-5',
    tools: [{ name: 'bash', input_schema: { type: 'object' } }],
    messages,
    stream: true,
  }
}

function quotedText(content: unknown): string {
  const [block] = content as readonly { readonly text?: string; readonly content?: string }[]
  return block?.text ?? block?.content ?? ''
}

async function worked(
  world: AnswerWorld,
  output = (i: number) => `12 passed, run ${i}\n${'a line\n'.repeat(60)}`,
): Promise<Message[]> {
  const messages: Message[] = []
  for (let i = 0; i < 9; i++) {
    const call = { type: 'tool_use', id: `t${i}`, name: 'bash', input: { command: `npm test -- ${i}` } }
    const result = {
      type: 'tool_result',
      tool_use_id: `t${i}`,
      content: output(i),
    }
    messages.push(
      ask(`Please deploy step ${i}`),
      { role: 'assistant', content: [call] },
      { role: 'user', content: [result] },
    )
    await world.send('/v1/messages', requestOf(messages))
    if (i < 8) messages.push(done)
  }
  return messages
}
