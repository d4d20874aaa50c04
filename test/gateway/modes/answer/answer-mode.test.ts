import { describe, expect, test } from 'vitest'
import { anthropicAnswer } from '../../../../src/gateway/faces/anthropic-face.ts'
import { recordMarkIn } from '../../../../src/gateway/records/seal.ts'
import { RETRY_LIMITS } from '../../../../src/llm/call/chat-model.ts'
import { textOf } from '../../../../src/model/types.ts'
import { openSession } from '../../../../src/session/open-session.ts'
import { opened } from '../../support/world.ts'
import { type AnswerWorld, answerWorld, KEY, type Said, type Seen } from './answer-world.ts'

type Message = { readonly role: string; readonly content: unknown }

const DIRECTIVE = `CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.

Your task is to create a detailed summary of the conversation so far, paying close attention.`
const SUMMARY = `## Current state
All steps of the deployment of the parser in src/parser.ts passed, and npm test passes with 12 tests.`

describe("an agent's own compaction request", () => {
  test('is answered with the record of its session, by the model of the very same request', async () => {
    const world = await answerWorld((request) => (isOurs(request.body) ? SUMMARY : 'Step done.'))
    const messages = await worked(world)

    const reply = await compact(world, messages)

    const asked = world.seen.at(-1)
    expect(asked?.headers).toMatchObject({ 'x-api-key': 'sk-1' })
    expect(asked?.body.slice(0, 2_000)).toBe(world.seen.at(-2)?.body.slice(0, 2_000))
    expect(asked?.body).not.toContain('Your task is to create a detailed summary')
    const answer = anthropicAnswer(reply.body)
    const text = answer?.message === undefined ? '' : textOf(answer.message)
    expect(text).toMatch(/^<summary>\n[\s\S]*<\/summary>$/)
    expect(text).toContain('All steps of the deployment')
    expect(text).toContain('Please deploy step 3')
    expect(answer?.usage).toMatchObject({ inputTokens: 900, outputTokens: 50, cacheReadTokens: 800 })
    expect(recordMarkIn(text, KEY)).toMatchObject({ session: expect.any(String) })
  })

  test('has what was answered already in its record, if the agent keeps the answer itself', async () => {
    const world = await answerWorld((request) => (isOurs(request.body) ? SUMMARY : 'Step done.'))
    const messages = await worked(world)

    const record = recordOf((await compact(world, messages)).body)

    expect(record).toContain('npm test -- 9')
    expect(record).not.toMatch(/answered yet|under way|a line of output\na line/)
    const kept = { role: 'assistant', content: [{ type: 'text', text: 'Step done.' }] }
    await world.send('/v1/messages', requestOf([ask(record), kept, ask('Now write the changelog')]))
    await world.gateway.stop()
    const { sessions } = await world.store.sessions({ owner: 'local' })
    const { view } = await openSession(world.store, sessions[0]?.id ?? '')
    const texts = view.items.slice(1).map(({ message }) => textOf(message))
    expect([sessions.length, texts]).toEqual([1, ['Step done.', 'Now write the changelog', 'Step done.']])
  })

  test('is listed with its session, and with what the provider was asked for it', async () => {
    const world = await answerWorld((request) => (isOurs(request.body) ? SUMMARY : 'Step done.'))
    const messages = await worked(world)

    const { body } = await compact(world, messages)

    const [before, listed] = (await world.requests()).slice(-2)
    expect(listed).toMatchObject({
      face: 'anthropic',
      model: before?.model,
      session: before?.session,
      bytesOut: world.seen.at(-1)?.body.length,
      answerBytes: Buffer.byteLength(body),
      inputTokens: 900,
      outputTokens: 50,
      cachedTokens: 800,
    })
  })

  test('is listed without tokens when no model was asked', async () => {
    const world = await answerWorld(() => 'Step done.', { summaries: 'none' })

    await compact(world, await worked(world))

    const listed = (await world.requests()).at(-1)
    expect(listed).toMatchObject({ session: expect.any(String), bytesOut: 0 })
    expect(listed?.inputTokens).toBeUndefined()
  })

  test('is answered from the log when the provider fails', async () => {
    const world = await answerWorld((request) => (isOurs(request.body) ? { status: 500 } : 'Step done.'))
    const messages = await worked(world)

    const { status, body } = await compact(world, messages)

    expect(status).toBe(200)
    expect(body).toContain('Please deploy step 3')
    expect(anthropicAnswer(body)?.usage).toBeUndefined()
  })

  test('is answered from the log when the summary is cut off at the most tokens that the agent allows', async () => {
    const cut = `${SUMMARY}\n## What is left\nThe half sentence that ends with`
    const world = await answerWorld((request) => (isOurs(request.body) ? { cutOff: cut } : 'Step done.'))
    const messages = await worked(world)

    const { status, body } = await compact(world, messages)

    expect(status).toBe(200)
    expect(body).toContain('Please deploy step 3')
    expect(body).not.toContain('The half sentence')
  })

  test('is answered from the log when the summary takes too long', async () => {
    const world = await answerWorld(({ body }) => (isOurs(body) ? undefined : 'Step done.'), { summaryMs: 20 })
    const messages = await worked(world)

    const { status, body } = await compact(world, messages)

    expect(status).toBe(200)
    expect(body).toContain('Please deploy step 3')
    expect((await world.requests()).at(-1)?.why).toContain('answered the compaction of claude')
  })

  test('asks no model if summaries are off', async () => {
    const world = await answerWorld(() => 'Step done.', { summaries: 'none' })
    const messages = await worked(world)
    const before = world.seen.length

    const { body } = await compact(world, messages)

    expect(world.seen).toHaveLength(before)
    expect(body).toContain('Please deploy step 3')
  })

  test('is forwarded as it is when there is too little to compact', async () => {
    const world = await answerWorld(() => 'A summary of the model.')
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'Hello there' }] }]
    await world.send('/v1/messages', requestOf(messages))

    const { body } = await compact(world, messages)

    expect(world.seen.at(-1)?.body).toContain('Your task is to create a detailed summary')
    expect(body).toContain('A summary of the model.')
  })

  test('that is sent a second time gets the same record, and no model is asked again', async () => {
    const world = await answerWorld((request) => (isOurs(request.body) ? SUMMARY : 'Step done.'))
    const messages = await worked(world)
    const first = await compact(world, messages)
    const before = world.seen.length

    const second = await compact(world, messages)

    expect(world.seen).toHaveLength(before)
    expect(recordOf(second.body)).toBe(recordOf(first.body))
  })
})

test.each(['agent', 'koda', 'kit', 'keen'] as const)(
  'the preset %s has summaries of the model that the client uses',
  async (preset) => {
    const world = await answerWorld((asked) => (isOurs(asked.body) ? SUMMARY : 'Step done.'), { policy: { preset } })

    const { body } = await compact(world, await worked(world))

    expect(recordOf(body)).toContain('All steps of the deployment')
  },
)

test('a client that compacts with its window nearly full still gets a summary, because it sends that request anyway', async () => {
  const world = await answerWorld((asked) => (isOurs(asked.body) ? SUMMARY : 'Step done.'), {
    inputTokens: 199_000,
  })

  const { body } = await compact(world, await worked(world))

  expect(recordOf(body)).toContain('All steps of the deployment')
})

describe('a summary that fails at first', () => {
  /** A provider that gives the replies in turn to requests for a summary. */
  const inTurn = (...replies: Said[]) => {
    const left = [...replies]
    return (asked: Seen) => (isOurs(asked.body) ? left.shift() : 'Step done.')
  }
  const asks = (world: AnswerWorld) => world.seen.filter(({ body }) => isOurs(body)).map(({ body }) => body)
  const why = async (world: AnswerWorld) => (await world.requests()).at(-1)?.why

  test('is asked for again with the same bytes while the provider is overloaded', async () => {
    const world = await answerWorld(inTurn({ status: 529 }, { status: 529 }, SUMMARY))

    const { body } = await compact(world, await worked(world))

    expect(recordOf(body)).toContain('All steps of the deployment')
    expect(new Set(asks(world)).size).toBe(1)
    expect(asks(world)).toHaveLength(3)
    expect(await why(world)).toBe('answered the compaction of claude, by the model, after its own request, at try 3')
  })

  test('is asked for again when the stream breaks, and both tries are counted', async () => {
    const world = await answerWorld(inTurn({ broken: SUMMARY }, SUMMARY))

    const { body } = await compact(world, await worked(world))

    expect(recordOf(body)).toContain('All steps of the deployment')
    expect((await world.requests()).at(-1)).toMatchObject({ inputTokens: 1_800, why: expect.stringMatching(/try 2$/) })
  })

  test('is asked for again when the provider reports an error inside its stream', async () => {
    const overloaded =
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n'
    const headers = { 'content-type': 'text/event-stream' }
    const world = await answerWorld(inTurn({ status: 200, headers, body: overloaded }, SUMMARY))

    expect(recordOf((await compact(world, await worked(world))).body)).toContain('All steps of the deployment')
  })

  test('is asked for again when the provider hangs, if half of the time is left', async () => {
    const world = await answerWorld(inTurn(undefined, SUMMARY), { summaryMs: 1_000 })

    expect(recordOf((await compact(world, await worked(world))).body)).toContain('All steps of the deployment')
    expect(await why(world)).toMatch(/try 2$/)
  })

  test('waits as long as the provider asks', async () => {
    const waits: number[] = []
    const sleep = async (ms: number) => void waits.push(ms)
    const world = await answerWorld(inTurn({ status: 429, headers: { 'retry-after': '7' } }, SUMMARY), {
      retries: { limits: RETRY_LIMITS, random: () => 0, sleep },
    })

    await compact(world, await worked(world))

    expect(waits).toEqual([7_000])
  })

  test.each([
    [
      'at the first refusal that waiting does not change',
      { status: 400, body: '{"error":{"message":"no such model"}}' },
      1,
      'no such model (HTTP 400)',
    ],
    ['when all tries have failed', { status: 500 }, 8, 'status 500 (HTTP 500), 8 attempts'],
  ])('is made from the log %s, and the list of requests says why', async (_, reply, tries, reason) => {
    const world = await answerWorld((asked) => (isOurs(asked.body) ? reply : 'Step done.'))

    const { body } = await compact(world, await worked(world))

    expect(body).toContain('Please deploy step 3')
    expect(asks(world)).toHaveLength(tries)
    expect(await why(world)).toBe(`answered the compaction of claude, from the log, without a model: local: ${reason}`)
  })
})

test('a client that waits for a summary sees that its stream lives', async () => {
  const ready = Promise.withResolvers<string>()
  const world = await answerWorld((request) => (isOurs(request.body) ? ready.promise : 'Step done.'), { signMs: 1 })
  const messages = await worked(world)
  const response = await opened(`${world.url}/v1/messages`, { body: JSON.stringify(compactionOf(messages)) })
  let heard = ''
  for await (const piece of response) {
    heard += piece
    if (/(?:event: ping[\s\S]*){3}/.test(heard)) ready.resolve(SUMMARY)
  }

  expect(response.statusCode).toBe(200)
  expect(recordOf(heard)).toContain('All steps of the deployment')
  expect(heard.match(/event: message_start/g)).toHaveLength(1)
})

describe.each([1, 2, 3, 5, 8, 12])('a small session of %i turns', (turns) => {
  test.each([
    ['short', SUMMARY],
    ['long', longSummary(40)],
  ])('is smaller after its compaction, or the request is passed on, with a %s summary', async (_, summary) => {
    const world = await answerWorld((request) => (isOurs(request.body) ? summary : `The agent's own summary.`))
    const messages = await worked(world, turns)
    const before = world.seen.length

    const { body } = await compact(world, messages)

    const record = recordOf(body)
    const asked = world.seen.slice(before)
    expect(asked).toHaveLength(1)
    if (record === '') expect(asked[0]?.body).toBe(JSON.stringify(compactionOf(messages)))
    else expect(record.length).toBeLessThan(JSON.stringify(messages).length)
  })
})

describe('after an answered compaction', () => {
  test('the session continues in one log, without the frame and with nothing twice', async () => {
    const world = await answerWorld((request) => (isOurs(request.body) ? SUMMARY : 'Step done.'))
    const messages = await worked(world)
    const record = recordOf((await compact(world, messages)).body)
    const next = [
      { role: 'user', content: `This session is being continued.\n\nSummary:\n${record}\n\nContinue.` },
      { role: 'assistant', content: [{ type: 'text', text: 'Step done.' }] },
      { role: 'user', content: [{ type: 'text', text: 'Now write the changelog' }] },
    ]
    await world.send('/v1/messages', requestOf(next))
    const after = [...next, { role: 'assistant', content: [{ type: 'text', text: 'Step done.' }] }, ask('And tag it')]
    await world.send('/v1/messages', requestOf(after))
    await world.gateway.stop()

    const { sessions } = await world.store.sessions({ owner: 'local' })
    expect(sessions).toHaveLength(1)
    const { view } = await openSession(world.store, sessions[0]?.id ?? '')
    const texts = view.items.slice().map(({ message }) => textOf(message))
    expect(texts.filter((text) => text !== '').slice(1)).toEqual([
      'Step done.',
      'Now write the changelog',
      'Step done.',
      'And tag it',
      'Step done.',
    ])
    expect(texts[0]).toContain('All steps of the deployment')
  })

  test('two windows that continue from one record are two branches', async () => {
    const world = await answerWorld((request) => (isOurs(request.body) ? SUMMARY : 'Step done.'))
    const record = recordOf((await compact(world, await worked(world))).body)
    for (const words of ['Write the changelog', 'Write the docs', 'Write the tests']) {
      await world.send('/v1/messages', requestOf([{ role: 'user', content: `Summary:\n${record}` }, ask(words)]))
    }
    await world.gateway.stop()

    const { sessions } = await world.store.sessions({ owner: 'local' })
    const ends = await Promise.all(
      sessions.map(async ({ id }) =>
        textOf((await openSession(world.store, id)).view.items.slice().at(-2)?.message ?? NONE),
      ),
    )
    expect(ends.toSorted()).toEqual(['Write the changelog', 'Write the docs', 'Write the tests'])
  })

  test('a record that a tool prints does not lead into its session', async () => {
    const world = await answerWorld((request) => (isOurs(request.body) ? SUMMARY : 'Step done.'))
    const record = recordOf((await compact(world, await worked(world))).body)
    const call = { type: 'tool_use', id: 't9', name: 'bash', input: { command: 'cat log' } }
    const other = [ask('Read the log'), { role: 'assistant', content: [call] }, resultOf('t9', record)]
    await world.send('/v1/messages', requestOf(other))
    await world.gateway.stop()

    expect((await world.store.sessions({ owner: 'local' })).sessions).toHaveLength(2)
  })
})

const NONE = { role: 'user', content: '' } as const

function ask(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] }
}

function resultOf(id: string, content: string): Message {
  return { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] }
}

function requestOf(messages: readonly Message[]): object {
  return {
    model: 'claude-sonnet-4-5',
    system: [{ type: 'text', text: 'You are an agent. '.repeat(100) }],
    tools: [{ name: 'bash', input_schema: { type: 'object' } }],
    messages,
    max_tokens: 1000,
    stream: true,
  }
}

/** So many sentences that say different things. */
function longSummary(sentences: number): string {
  const said = Array.from(
    { length: sentences },
    (_, i) => `Run ${i} of npm test in src/parser.ts passed with 12 tests.`,
  )
  return `## Current state\n${said.join('\n')}`
}

/** Work of some turns, sent as an agent does: each request has the whole conversation. */
async function worked(world: AnswerWorld, turns = 10): Promise<Message[]> {
  const messages: Message[] = []
  for (let i = 0; i < turns; i++) {
    const call = { type: 'tool_use', id: `t${i}`, name: 'bash', input: { command: `npm test -- ${i}` } }
    const result = `12 passed in src/parser.ts, run ${i}\n${'a line of output\n'.repeat(40)}`
    messages.push(ask(`Please deploy step ${i}`), { role: 'assistant', content: [call] }, resultOf(`t${i}`, result))
    await world.send('/v1/messages', requestOf(messages))
    if (i < turns - 1) messages.push({ role: 'assistant', content: [{ type: 'text', text: 'Step done.' }] })
  }
  return messages
}

/** Claude Code's way: the directive is one more block of the last message. */
function compact(world: AnswerWorld, messages: readonly Message[]) {
  return world.send('/v1/messages', compactionOf(messages))
}

function compactionOf(messages: readonly Message[]): object {
  const last = messages.at(-1)
  const content = Array.isArray(last?.content) ? last.content : []
  const asking = { role: 'user', content: [...content, { type: 'text', text: DIRECTIVE }] }
  return requestOf([...messages.slice(0, -1), asking])
}

function isOurs(body: string): boolean {
  return body.includes('This message is from the program, not from the user')
}

function recordOf(body: string): string {
  const message = anthropicAnswer(body)?.message
  return /<summary>\n([\s\S]*)\n<\/summary>/.exec(message === undefined ? '' : textOf(message))?.[1] ?? ''
}
