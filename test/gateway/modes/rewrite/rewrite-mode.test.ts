import { describe, expect, it, onTestFinished } from 'vitest'
import { fromAnthropic, fromOpenAIResponses } from '../../../../src/formats/index.ts'
import type { FaceName } from '../../../../src/gateway/faces/face.ts'
import { mayFit } from '../../../../src/gateway/modes/answer/answer-mode.ts'
import { modeNamed } from '../../../../src/gateway/modes/modes.ts'
import type { RewriteDeps } from '../../../../src/gateway/modes/rewrite/rewriter.ts'
import { type Message, resultsOf, textOf } from '../../../../src/model/types.ts'
import { undo } from '../../../../src/session/user-changes.ts'
import { openStore } from '../../../../src/store/open-store.ts'
import { full } from '../../../support/full.ts'
import { isSummarising, type ModelServerOptions, startModelServer } from '../../../support/model-server/index.ts'
import { tokensOf } from '../../../support/model-server/token-count.ts'
import { conversationIn } from '../../../support/request-bodies.ts'
import { FakeAgent, requestFor } from '../../support/fake-agent.ts'
import { call, gatewayWorld } from '../../support/world.ts'

const ALL_FACES: readonly FaceName[] = ['anthropic', 'openai-chat', 'openai-responses', 'gemini']
const FACES: readonly FaceName[] = full ? ALL_FACES : ['anthropic', 'openai-responses']
const WINDOW = 20_000

type Options = Partial<ModelServerOptions> & {
  readonly believed?: number
  readonly deps?: Partial<RewriteDeps>
  /** How long the files are. */
  readonly lines?: number
}

/** A model that reads a file in each of its first steps of a turn, behind a gateway that rewrites. */
async function world(face: FaceName, { believed = WINDOW, deps, lines: long = 90, ...options }: Options = {}) {
  const model = await startModelServer({
    window: WINDOW,
    brain: ({ messages }, number) => {
      const wantsMore = messages.at(-1)?.role === 'user' || number % 6 !== 0
      const calls = wantsMore ? [{ name: 'read', input: { path: `src/file-${number}.ts` } }] : []
      return { text: `Step ${number} of the work on the parser.`, calls }
    },
    ...options,
  })
  onTestFinished(() => model.close())
  const store = await openStore(':memory:')
  const mode = modeNamed('rewrite', {
    store,
    key: Buffer.alloc(32),
    owner: 'local',
    holder: 'test:1',
    policy: {},
    clock: Date.now,
    modelInfo: () => ({ contextWindow: believed }),
    summaries: 'none',
    configured: async () => [],
    ...deps,
  })
  const { url, lines, requests } = await gatewayWorld(model.url, { store, mode, key: Buffer.alloc(32) })
  const agent = new FakeAgent(
    face,
    url,
    (step) => `// file of step ${step}\n${`const value${step} = compute(${step})\n`.repeat(long)}`,
  )
  return { model, store, agent, mode, url, lines, requests }
}

/** In the short form a third of the turns, with files three times as long. */
const SCALE = full ? 1 : 3
const lines = 90 * SCALE

async function talk(agent: FakeAgent, turns: number): Promise<void> {
  for (let turn = 1; turn <= turns / SCALE; turn++) await agent.turn(`Turn ${turn}: go on with the parser.`)
}

/** A compaction that the provider made itself, as its protocol has it. Others have none. */
const NATIVE: Partial<Readonly<Record<FaceName, object>>> = {
  anthropic: {
    role: 'assistant',
    content: [{ type: 'compaction', content: 'A parser is wanted.', signature: 'c2ln' }],
  },
  'openai-responses': { type: 'compaction', id: 'cmp_1', encrypted_content: 'b3BhcXVl' },
}

function nativeCompaction(face: FaceName, item: object): Message {
  const read = face === 'anthropic' ? fromAnthropic([item as { role: string }]) : fromOpenAIResponses([item])
  return read[0] as Message
}

/** Replaces `it` for a test that the short form does not have. */
const unregistered = (_name: string, _test: () => Promise<void>, _timeout?: number): void => {}

describe.each(FACES)('a gateway that rewrites requests of %s', (face) => {
  /** The tests that do not depend on the protocol run over one of them in the short form. */
  const over = (one: FaceName) => (full || face === one ? it : unregistered)

  over('openai-responses')(
    'keeps an agent that never compacts inside the window, with requests that the provider takes',
    async () => {
      const {
        model,
        store,
        agent,
        lines: logged,
      } = await world(face, { lines, deps: { policy: { rungs: ['digest', 'squeeze'] } } })
      await talk(agent, 8)
      expect(model.violations).toEqual([])
      expect(logged).toEqual([])
      expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('Turn 1: go on with the parser.')
      const sizes = model.requests.map(({ tokens }) => tokens)
      expect(Math.max(...sizes)).toBeLessThan(WINDOW)
      // The agent's own history would have been refused.
      expect(tokensOf(JSON.stringify(requestFor(face, agent.history).body).length)).toBeGreaterThan(WINDOW)
      const { sessions } = await store.sessions()
      expect(sessions).toHaveLength(1)
      const { entries } = await store.entries(sessions[0]?.id ?? '')
      expect(entries.filter(({ type }) => type === 'compaction').length).toBeGreaterThan(0)
      expect(entries.filter(({ type }) => type === 'message')).toHaveLength(agent.history.length)
    },
  )

  it('keeps its compactions when the agent changes the arguments of its calls', async () => {
    const run = async (ran: (input: unknown) => unknown) => {
      const { model, store, agent } = await world(face, { lines, deps: { policy: { rungs: ['digest', 'squeeze'] } } })
      agent.ran = ran
      await talk(agent, 8)
      expect(model.violations).toEqual([])
      const { sessions } = await store.sessions()
      expect(sessions).toHaveLength(1)
      const { entries } = await store.entries(sessions[0]?.id ?? '')
      expect(entries.filter(({ type }) => type === 'message')).toHaveLength(agent.history.length)
      return entries.filter(({ type }) => type === 'compaction').length
    }
    const compactions = await run((input) => input)
    expect(compactions).toBeGreaterThan(0)
    expect(await run((input) => ({ ...(input as object), replace_all: false }))).toBe(compactions)
  })

  it('sends old results that the agent has cleared as it cleared them', async () => {
    const { model, store, agent } = await world(face, { lines, deps: { policy: { rungs: ['digest', 'squeeze'] } } })
    await talk(agent, 8)
    // The oldest that no compaction has taken out yet.
    const last = JSON.stringify(model.requests.at(-1)?.body)
    const at = agent.history.findIndex(({ role }, i) => role === 'tool' && last.includes(`// file of step ${i}\\n`))
    const [whole] = resultsOf(agent.history[at] as Message)
    const value = '[Old tool result content cleared]'
    agent.history[at] = { role: 'tool', content: [{ ...whole, output: { type: 'text', value } }] } as Message
    const before = model.requests.length
    await agent.turn('Go on.')
    const sent = JSON.stringify(model.requests[before]?.body)
    expect(sent).toContain(value)
    expect(sent).not.toContain(`// file of step ${at}\\n`)
    const { sessions } = await store.sessions()
    expect(sessions).toHaveLength(1)
    const { entries } = await store.entries(sessions[0]?.id ?? '')
    expect(entries.filter(({ type }) => type === 'compaction').length).toBeGreaterThan(0)
    expect(entries.filter(({ type }) => type === 'message')).toHaveLength(agent.history.length)
    expect(JSON.stringify(entries)).not.toContain(value)
  })

  it('answers an agent that compacts a history larger than the window, and does not send that', async (context) => {
    if (face !== 'anthropic') return context.skip('only Claude Code’s compaction is known by its words')
    const { model, agent } = await world(face, { lines, deps: { summaries: 'same-request' } })
    await talk(agent, 12)
    expect(mayFit({ body: Buffer.from(JSON.stringify(requestFor(face, agent.history).body)) }, WINDOW)).toBe(false)
    const before = model.requests.length
    await agent.turn('Your task is to create a detailed summary of the conversation so far, and nothing else.')
    expect(JSON.stringify(agent.history.at(-1))).toContain(`Turn ${12 / SCALE}`)
    expect(model.requests).toHaveLength(before)
    expect(model.violations).toEqual([])
  })

  over('anthropic')('extends each request by the next one, but for compactions', async () => {
    const { model, agent } = await world(face, { lines })
    await talk(agent, 6)
    const conversations = model.requests.map((request) => conversationIn(request).map((item) => JSON.stringify(item)))
    const broken = conversations.slice(1).filter((next, i) => {
      const earlier = conversations[i]?.slice(0, -1) ?? []
      return earlier.some((item, at) => next[at] !== item)
    })
    expect(broken.length).toBeGreaterThan(0)
    expect(broken.length).toBeLessThan(conversations.length / 4)
  })

  it("keeps the provider's own compaction in its place, before the record", async (context) => {
    const native = NATIVE[face]
    if (native === undefined) return context.skip('this protocol has none')
    const { model, agent } = await world(face, { lines, deps: { policy: { rungs: ['digest', 'squeeze'] } } })
    agent.history.push({ role: 'user', content: 'Make the parser.' }, nativeCompaction(face, native))
    await talk(agent, 8)
    expect(model.violations).toEqual([])
    const sent = model.requests.map(conversationIn)
    expect(sent.at(-1)?.length).toBeLessThan(agent.history.length)
    for (const conversation of sent) expect(conversation.slice(0, 2)).toEqual(sent[0]?.slice(0, 2))
    expect(sent[0]?.[1]).toMatchObject(native)
  })

  it('answers an overflow of the provider with a compaction and one more try, which the client does not see', async () => {
    const { model, agent } = await world(face, { lines, believed: 1_000_000 })
    await talk(agent, 6)
    const outcomes = model.requests.map(({ outcome }) => outcome)
    expect(outcomes).toContain('overflow')
    expect(outcomes.filter((outcome) => outcome === 'overflow').length).toBeLessThan(4)
  })
})

it('a request of a model with an unknown window is listed as one that is not compacted', async () => {
  const { agent, requests } = await world('openai-chat', { deps: { modelInfo: () => ({}) } })
  await agent.turn('Go on with the parser.')
  const [listed] = await requests()
  expect(listed?.why).toBe('not compacted before it is full: the configuration names no context_window for local/m')
})

describe('a gateway that rewrites', () => {
  it('sends the client’s own bytes while nothing was compacted', async () => {
    const { model, agent } = await world('anthropic')
    await agent.turn('Turn 1: go on.')
    expect(model.requests.at(-1)?.body).toEqual(requestFor('anthropic', agent.history.slice(0, -1)).body)
  })

  it('shows the whole history again after an undo in the web inspector', async () => {
    const { model, store, agent, url } = await world('anthropic', { window: 100_000, lines })
    await talk(agent, 6)
    const { sessions } = await store.sessions()
    const id = sessions[0]?.id ?? ''
    while ((await undo(store, id)).ok);
    const off = { type: 'settings', policy: { mode: 'off' } } as const
    await store.append(id, [off])
    const { path, body } = requestFor('anthropic', [...agent.history, { role: 'user', content: 'More' }])
    await call(url + path, { body: JSON.stringify(body) })
    expect(model.requests.at(-1)?.body).toEqual(body)
  })

  it.each([0, 3])(
    'continues from the record that an agent got which compacts by itself and keeps %i messages',
    async (kept) => {
      const {
        model,
        store,
        agent,
        lines: logged,
      } = await world('anthropic', { lines: 180, deps: { policy: { rungs: ['digest', 'squeeze'] } } })
      await agent.turn('Turn 1: go on with the parser.')
      const tail = agent.history.slice(agent.history.length - kept)
      await agent.turn('Your task is to create a detailed summary of the conversation so far, and nothing else.')
      const summary = textOf(agent.history.at(-1) ?? { role: 'user', content: '' })
      agent.history.splice(0, agent.history.length, { role: 'user', content: `Before:\n${summary}` }, ...tail)
      const before = model.requests.length
      await agent.turn('Turn 2: go on with the parser.')
      expect(model.violations).toEqual([])
      for (const { body } of model.requests.slice(before))
        expect(JSON.stringify(body).split('Turn 1: go on')).toHaveLength(2)
      // Later it is the gateway that compacts.
      for (let turn = 3; turn <= 5; turn++) await agent.turn(`Turn ${turn}: go on with the parser.`)
      expect(model.violations).toEqual([])
      expect(logged).toEqual([])
      expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('Turn 1: go on')
      const { sessions } = await store.sessions()
      expect(sessions).toHaveLength(1)
      const { entries } = await store.entries(sessions[0]?.id ?? '')
      expect(entries.filter(({ type }) => type === 'compaction').length).toBeGreaterThan(1)
    },
  )

  it.each([
    ['the user', (text: string): Message[] => [{ role: 'user', content: `Before:\n${text}` }]],
    [
      'the agent',
      (text: string): Message[] => [
        { role: 'user', content: 'What did we do so far?' },
        { role: 'assistant', content: text },
        { role: 'user', content: 'Continue.' },
      ],
    ],
  ])('leaves an agent its tail that compacted in the middle of a turn and has the record as %s', async (_, frame) => {
    const { model, agent, url } = await world('anthropic')
    await agent.turn('Turn 1: go on with the parser.')
    const [called, result] = agent.history.slice(-3)
    await agent.turn('Your task is to create a detailed summary of the conversation so far, and nothing else.')
    const summary = textOf(agent.history.at(-1) ?? { role: 'user', content: '' })
    const history = [...frame(summary), called, result] as Message[]
    const { path, body } = requestFor('anthropic', history)
    expect((await call(url + path, { body: JSON.stringify(body) })).status).toBe(200)
    expect(model.requests.at(-1)?.body).toEqual(body)
  })

  it('has a count of tokens asked for what would be sent', async () => {
    const { agent, mode, store } = await world('anthropic', {
      lines,
      deps: { policy: { rungs: ['digest', 'squeeze'] } },
    })
    await talk(agent, 9)
    const entries = async () => (await store.entries((await store.sessions()).sessions[0]?.id ?? '')).entries.length
    const before = await entries()
    const { body } = requestFor('anthropic', agent.history)
    const whole = Buffer.from(JSON.stringify(body))
    const client = { method: 'POST', path: '/v1/messages/count_tokens?beta=true', headers: {}, body: whole }
    const unused = () => Promise.reject(new Error('a count asks for nothing else'))
    const exchange = {
      client,
      upstream: { name: 'local', url: new URL('http://local') },
      read: unused,
      readAs: () => undefined,
      place: unused,
      endBefore: unused,
      transcriptPlace: unused,
      ask: unused,
      keepAlive: () => undefined,
    }
    const decision = await mode.decide(exchange, AbortSignal.timeout(10_000))
    expect(decision).toMatchObject({ kind: 'forward', why: 'a count of what would be sent' })
    expect(decision.body?.length).toBeLessThan(whole.length / 2)
    expect(await entries()).toBe(before)
  })

  it('sends a request that continues where the last one ended before it is recorded', async () => {
    const { model, store, agent, url } = await world('anthropic', { lines })
    await talk(agent, 6)
    const { append } = store
    const held = Promise.withResolvers<void>()
    Object.assign(store, {
      append: async (...args: Parameters<typeof append>) => held.promise.then(() => append(...args)),
    })
    const { path, body } = requestFor('anthropic', [...agent.history, { role: 'user', content: 'More' }])
    const { status } = await call(url + path, { body: JSON.stringify(body) })
    held.resolve()
    expect(status).toBe(200)
    expect(JSON.stringify(model.requests.at(-1)?.body).length).toBeLessThan(JSON.stringify(body).length)
    const id = (await store.sessions()).sessions[0]?.id ?? ''
    await expect.poll(async () => JSON.stringify(await store.entries(id))).toContain('"More"')
  })

  it('uses its last record again when the store fails', async () => {
    const { model, store, agent, lines: logged } = await world('anthropic')
    for (let turn = 1; turn <= 5; turn++) await agent.turn(`Turn ${turn}: go on with the parser.`)
    Object.assign(store, {
      chainPlaces: async () => {
        throw new Error('database is locked')
      },
    })
    const before = model.requests.length
    await agent.turn('Turn 6: say something.')
    expect(model.violations).toEqual([])
    expect(model.requests.length).toBeGreaterThan(before)
    expect(logged.join('\n')).toContain('database is locked')
  })

  it.each(ALL_FACES)(
    'gives the provider’s own refusal to an agent of %s whose history is too long, when the store fails and nothing is remembered',
    async (face) => {
      const { model, store, url } = await world(face)
      Object.assign(store, { chainPlaces: async () => Promise.reject(new Error('database is locked')) })
      const { path, body } = requestFor(face, [{ role: 'user', content: 'All the words. '.repeat(6_000) }])
      const answer = await call(url + path, { body: JSON.stringify(body) })
      expect({ status: answer.status, body: String(answer.body) }).toMatchObject(REFUSALS[face])
      expect(model.requests.map(({ outcome, body: sent }) => [outcome, sent])).toEqual([['overflow', body]])
    },
  )
})

/** How providers say that a request is too long, so that agents compact. */
const REFUSALS: Readonly<Record<FaceName, object>> = {
  anthropic: { status: 400, body: expect.stringMatching(/prompt is too long: \d+ tokens > 20000 maximum/) },
  'openai-chat': { status: 400, body: expect.stringContaining('context_length_exceeded') },
  'openai-responses': { status: 200, body: expect.stringContaining('context_length_exceeded') },
  gemini: { status: 400, body: expect.stringContaining('exceeds the maximum number of tokens') },
}

it('says about a request with masked results alone that it has these, and no record', async () => {
  const { agent, requests } = await world('anthropic', { deps: { policy: { rungs: ['mask', 'digest', 'squeeze'] } } })
  const whys = async () => (await requests()).map(({ why }) => why)
  await agent.turn('Read the parser.')
  for (let turn = 0; turn < 20 && !(await whys()).some((why) => why.endsWith('(mask)')); turn++)
    await agent.turn(`Go on ${turn}.`)
  await agent.turn('One more.')
  const after = (await whys()).slice((await whys()).findIndex((why) => why.endsWith('(mask)')) + 1)
  expect(after[0]).toBe('with messages masked or shortened before')
})

it('compacts with the preset of another system, by the model that the client uses', async () => {
  const { agent, requests } = await world('anthropic', {
    lines,
    deps: { policy: { preset: 'agent' }, summaries: 'same-request' },
    brain: (request, number) =>
      isSummarising(request)
        ? { text: 'The work on the parser: the files of all steps were read, and the next step follows.' }
        : {
            text: `Step ${number}.`,
            calls: number % 4 === 0 ? [] : [{ name: 'read', input: { path: `${number}.ts` } }],
          },
  })

  await talk(agent, 9)

  expect((await requests()).map(({ why }) => why).join('\n')).toMatch(/compacted from .*\(warm\)/)
})
