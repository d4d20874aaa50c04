import { describe, expect, it } from 'vitest'
import { compactMessages, type FitOptions, fit, type Message, validate } from '../../../src/engine.ts'
import { assistant, call, modelSaying, result, turns, user } from '../../support/messages.ts'

const SUMMARY = '## Goal\nTo ask each question. Then to answer it.'
const window = 8_000

/** A conversation that has grown over several requests: what each of them was given. */
type Request = { readonly messages: readonly Message[]; readonly state: unknown }

/** Each round adds turns of its own; `next` makes the request of the fitted one. */
async function rounds(
  next: (said: readonly Message[], given: readonly Message[], state: unknown) => Request,
  options: Partial<FitOptions> = {},
) {
  const model = modelSaying(SUMMARY)
  let said: Message[] = []
  let request: Request = { messages: [], state: undefined }
  const sent: (readonly Message[])[] = []
  for (let round = 0; round < 6; round++) {
    const more = turns(12, 800).map(
      (message) => ({ ...message, content: `round ${round} ${message.content}` }) as Message,
    )
    said = [...said, ...more]
    const fitted = await fit([...request.messages, ...more], {
      window,
      summaryModels: [model],
      state: request.state,
      ...options,
    })
    expect(fitted).toMatchObject({ fits: true })
    expect(validate(fitted.messages)).toEqual([])
    sent.push(fitted.messages)
    const stored: unknown = JSON.parse(JSON.stringify(fitted.state))
    if (request.state !== undefined) expect(fitted.stateIgnored).toBeUndefined()
    request = next(said, fitted.messages, stored)
  }
  return { calls: model.requests.length, sent, requests: model.requests }
}

describe('the state of a conversation', () => {
  it('spares the summariser what it has summarised, whether the caller keeps all messages or those it got', async () => {
    const without = await rounds((said) => ({ messages: said, state: undefined }))
    const keepsAll = await rounds((said, _, state) => ({ messages: said, state }))
    const keepsGiven = await rounds((_, given, state) => ({ messages: given, state }))
    expect(keepsAll.calls).toBeLessThan(without.calls)
    expect(keepsGiven.calls).toBe(keepsAll.calls)
    expect(keepsGiven.sent.map((messages) => messages.length)).toEqual(keepsAll.sent.map((messages) => messages.length))
  })

  it('gives the summariser the earlier summary and what is new, not what it covers', async () => {
    const { requests } = await rounds((said, _, state) => ({ messages: said, state }))
    const last = JSON.stringify(requests.at(-1))
    expect(last).toContain('To ask each question.')
    expect(last).not.toContain('round 0 question 0 q')
  })

  it('sends the record again byte for byte while nothing is due', async () => {
    const messages = turns(60, 800)
    const first = await fit(messages, { window, summaryModels: [modelSaying(SUMMARY)] })
    const all = await fit([...messages, user('and now?')], { window, state: first.state })
    const given = await fit([...first.messages, user('and now?')], { window, state: first.state })
    expect(all.messages).toEqual([...first.messages, user('and now?')])
    expect(given.messages).toEqual(all.messages)
    expect(given.result).toBeUndefined()
  })

  it('holds for a list whose end was taken back and said again', async () => {
    const messages = turns(60, 800)
    const model = modelSaying(SUMMARY)
    const first = await fit(messages, { window, summaryModels: [model] })
    const asked = model.requests.length
    const again = [...messages.slice(0, -2), user('another question')]
    const second = await fit(again, { window, state: first.state, summaryModels: [model] })
    expect(second.stateIgnored).toBeUndefined()
    expect(model.requests).toHaveLength(asked)
    expect(second.messages[0]).toEqual(first.messages[0])
    expect(second.messages.at(-1)).toEqual(user('another question'))
    const more = await fit([...again, assistant('an answer'), user('more')], { window, state: second.state })
    expect(more.messages).toEqual([...second.messages, assistant('an answer'), user('more')])
  })

  it.each<[string, (messages: Message[]) => Message[]]>([
    ['another conversation', () => turns(60, 801)],
    ['a list that was changed at its beginning', ([, ...rest]) => [user('something else'), ...rest]],
    ['no messages', () => []],
  ])('is left aside with a word for %s', async (_, change) => {
    const messages = turns(60, 800)
    const { state } = await fit(messages, { window })
    const other = change(messages)
    const { stateIgnored, ...fitted } = await fit(other, { window, state })
    expect(stateIgnored).toMatch(/belongs to other messages/)
    expect(fitted).toEqual(await fit(other, { window }))
  })

  it('is left aside for a fork of a part of what its record covers', async () => {
    const options = { window, policy: { rungs: ['digest' as const] } }
    let state: unknown
    let messages: Message[] = []
    let forks = 0
    for (let part = 0; part < 24; part++) {
      const before = messages
      messages = [...messages, user(`part ${part} is asked`), assistant(`part ${part} ${'is answered '.repeat(200)}`)]
      // The state rests on the counts of early answers too, and a fork shares those.
      const usage = { inputTokens: Math.round(JSON.stringify(messages).length / 4), outputTokens: 5 }
      const fitted = await fit([...messages, user('Go on.')], { ...options, state, usage })
      state = fitted.state
      if (fitted.result?.compacted !== true) continue
      for (let shared = 2; shared <= before.length; shared += 2) {
        const fork = [...messages.slice(0, shared), user('Something else.')]
        const forked = await fit(fork, { ...options, state })
        const parts = JSON.stringify([forked.messages, forked.state]).match(/part \d+/g) ?? []
        expect(parts.filter((each) => !JSON.stringify(fork).includes(`${each} `))).toEqual([])
        forks++
      }
    }
    expect(forks).toBeGreaterThan(0)
  })

  it('gives the failures of a summariser to no other conversation', async () => {
    const failing = modelSaying({ type: 'error', error: 'it choked on tangerine-88' })
    const options = { window, summaryModels: [failing], policy: { rungs: ['cold' as const] } }
    const first = await fit(turns(30, 800), options)
    expect(JSON.stringify(first.state)).toContain('tangerine-88')
    const other = await fit([user('Something else.')], { window, state: first.state })
    expect(JSON.stringify(other.state)).not.toContain('tangerine-88')
  })

  it('that is broken is left aside with a word', async () => {
    const messages = turns(60, 800)
    const { stateIgnored, ...fitted } = await fit(messages, { window, state: { version: 1, changes: 'x' } })
    expect(stateIgnored).toMatch(/damaged/)
    expect(fitted).toEqual(await fit(messages, { window }))
  })

  it('keeps instructions apart from a record in the system’s role', async () => {
    const SYSTEM: Message = { role: 'system', content: 'Answer in French.' }
    const policy = { preset: 'kit' as const, keepTokens: 1_000, reserveTokens: 2_000 }
    const model = modelSaying(SUMMARY)
    const first = await fit([SYSTEM, ...turns(60, 800)], { window, policy, summaryModels: [model] })
    expect(first.messages.slice(0, 2).map(({ role }) => role)).toEqual(['system', 'system'])
    const later = { role: 'system' as const, content: 'Answer in German.' }
    const next = [later, ...first.messages.slice(1), ...turns(40, 800)]
    const second = await fit(next, { window, policy, summaryModels: [model], state: first.state })
    expect(second.stateIgnored).toBeUndefined()
    expect(second.messages.filter(({ role }) => role === 'system')).toHaveLength(2)
    expect(second.messages[0]).toEqual(later)
    expect(second.result?.compacted).toBe(true)
  })

  it('counts the failures of a summariser over several calls, until it rests', async () => {
    const failing = modelSaying({ type: 'error', error: 'overloaded' })
    let messages = turns(30, 800)
    let state: unknown
    const clock = () => 1_000
    for (let i = 0; i < 6; i++) {
      const fitted = await fit(messages, { window, summaryModels: [failing], state, clock })
      state = JSON.parse(JSON.stringify(fitted.state))
      messages = [...messages, ...turns(12, 800)]
    }
    expect(failing.requests).toHaveLength(3)
  })

  it('carries on how the provider counts', async () => {
    let state: unknown
    let messages: Message[] = []
    const sizes: number[] = []
    for (let i = 0; i < 6; i++) {
      messages = [...messages, ...turns(3, 1_200)]
      const tokens = JSON.stringify(messages).length / 2
      const fitted = await fit(messages, {
        window: 200_000,
        state,
        usage: { inputTokens: Math.round(tokens), outputTokens: 5 },
      })
      state = fitted.state
      sizes.push(fitted.tokensAfter / tokens)
    }
    const without = await fit(messages, { window: 200_000 })
    const learned = await fit([...messages, ...turns(3, 1_200)], { window: 200_000, state })
    expect(sizes.at(-1)).toBeCloseTo(1, 1)
    expect(learned.tokensAfter).toBeGreaterThan(without.tokensAfter * 1.3)
  })

  it('knows a list again into which a repair put a result', async () => {
    const model = modelSaying(SUMMARY)
    const messages = [...turns(50, 800), call('x'), user('go on'), ...turns(3)]
    const first = await fit(messages, { window, summaryModels: [model] })
    expect(JSON.stringify(first.messages)).toContain('tool-result')
    for (const list of [messages, first.messages]) {
      const next = await fit([...list, user('more')], { window, summaryModels: [model], state: first.state })
      expect(next.stateIgnored).toBeUndefined()
      expect(next.messages).toEqual([...first.messages, user('more')])
    }
  })
})

describe('compactMessages', () => {
  const policy = { preset: 'kit' as const }

  it.each(['the messages that came in', 'those that it gave'])(
    'T9: files are cumulative over calls with %s',
    async (which) => {
      let messages: Message[] = []
      let state: unknown
      const files: (readonly string[])[] = []
      for (const name of ['c', 'a', 'b']) {
        const said = [
          user(`work on ${name}`),
          call(`r${name}`, 'read', { path: `src/read-${name}.ts` }),
          result(`r${name}`),
          call(`w${name}`, 'write', { path: `src/written-${name}.ts`, content: 'x' }),
          result(`w${name}`, 'ok', 'write'),
          user('next'),
        ]
        messages = [...messages, ...said]
        const got = await compactMessages(messages, { policy, summaryModels: [modelSaying('what was done')], state })
        expect(got).toMatchObject({ compacted: true })
        expect(got.stateIgnored).toBeUndefined()
        if (which !== 'the messages that came in') messages = [...got.messages]
        state = JSON.parse(JSON.stringify(got.state))
        files.push(got.readFiles, got.modifiedFiles)
      }
      expect(files).toEqual([
        ['src/read-c.ts'],
        ['src/written-c.ts'],
        ['src/read-a.ts', 'src/read-c.ts'],
        ['src/written-a.ts', 'src/written-c.ts'],
        ['src/read-a.ts', 'src/read-b.ts', 'src/read-c.ts'],
        ['src/written-a.ts', 'src/written-b.ts', 'src/written-c.ts'],
      ])
    },
  )
})
