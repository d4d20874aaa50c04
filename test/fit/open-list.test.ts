import { describe, expect, it } from 'vitest'
import { type FitResult, fit, type Message } from '../../src/engine.ts'
import { assistant, call, result, turns, user } from '../support/messages.ts'

const WINDOW = 4_000
/** A compaction makes a record: masks are known by other places of a list. */
const RECORDED = { window: WINDOW, policy: { rungs: ['digest' as const, 'squeeze' as const] } }

/** Steps of an agent: a call and its result. */
function steps(count: number, characters = 300, from = 0): Message[] {
  const output = (i: number) => `line ${i} of \`loadPart${i}\` `.padEnd(characters, 'and one more word ')
  return Array.from({ length: count }, (_, i) => [
    call(`c${from + i}`),
    result(`c${from + i}`, output(from + i)),
  ]).flat()
}

function copyOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}

/** A message that notes when its content is read. */
function noting(message: Message, read: Set<Message>): Message {
  const noted: Message = {
    ...message,
    get content() {
      read.add(noted)
      return message.content as never
    },
  }
  return noted
}

/** Plays 30 steps, with the list and the state of every call as they are, or as a database returns them. */
async function play(keeps: 'all' | 'sent', given: <T>(value: T) => T): Promise<unknown[]> {
  let list: Message[] = [user('Read all files.'), ...steps(4)]
  let state: unknown
  const seen: unknown[] = []
  for (let i = 0; i < 30; i++) {
    const usage = i % 3 === 1 ? { inputTokens: 500 + 90 * i, outputTokens: 20 } : undefined
    const fitted: FitResult = await fit(given(list), { window: WINDOW, state: given(state), usage })
    const { messages, tokensBefore, tokensAfter, stateIgnored } = fitted
    state = fitted.state
    seen.push(copyOf({ messages, tokensBefore, tokensAfter, stateIgnored, state, due: fitted.result?.compacted }))
    list = [...(keeps === 'all' ? list : messages), ...steps(1, 300 + 40 * i, 4 + i)]
  }
  return seen
}

/** Plays twelve answers that the provider counted, in a window that has room for all. */
async function counted(given: <T>(value: T) => T): Promise<unknown[]> {
  let list: Message[] = []
  let state: unknown
  const seen: unknown[] = []
  for (let i = 0; i < 12; i++) {
    list = [...list, user(`question ${i}`), assistant(`answer ${i}`)]
    const usage = { inputTokens: 1_000 + 100 * i, outputTokens: 5 }
    const fitted = await fit(given(list), { window: 100_000, state: state && given(state), usage })
    state = fitted.state
    seen.push(copyOf({ messages: fitted.messages, tokens: fitted.tokensBefore, state }))
  }
  return seen
}

describe('a list that is passed in again', () => {
  it.each(['all', 'sent'] as const)('gives the same results as copies of it (the caller keeps %s)', async (keeps) => {
    const again = await play(keeps, (value) => value)
    expect(again).toEqual(await play(keeps, (value) => (value === undefined ? value : copyOf(value))))
    expect(JSON.stringify(again)).toContain('"due":true')
  })

  it('gives the same results as copies of it after more counts of the provider than a state has', async () => {
    const again = await counted((value) => value)
    expect(again).toEqual(await counted(copyOf))
  })

  it('is read only from its first new message on, after a compaction too', async () => {
    const read = new Set<Message>()
    const list = [user('Read all files.'), ...steps(60)].map((message) => noting(message, read))
    const first = await fit(list, RECORDED)
    expect(first.result?.compacted).toBe(true)
    const second = await fit([...list, user('And now?')], { ...RECORDED, state: first.state })
    const longer = [...list, user('And now?'), user('Well?')].map((one, i) =>
      i < list.length ? one : noting(one, read),
    )
    // The message before the last was passed in as another object.
    expect((await fit(longer, { ...RECORDED, state: second.state })).stateIgnored).toBeUndefined()
    const third = await fit(longer, { ...RECORDED, state: second.state })
    const state = third.state
    read.clear()
    const next = noting(user('Go on.'), read)
    const fourth = await fit([...longer, next], { ...RECORDED, state })
    expect(fourth.state.record).toEqual(state.record)
    expect([...read]).toEqual([next])
  })

  it('is another one if a message in the middle was replaced, and its state is ignored', async () => {
    const list = [user('Read all files.'), ...steps(60)]
    const first = await fit(list, RECORDED)
    const second = await fit([...list, user('And now?')], { ...RECORDED, state: first.state })
    const changed = [...list.with(40, result('c19', 'something else')), user('And now?'), user('Go on.')]
    const third = await fit(changed, { ...RECORDED, state: second.state })
    expect(third.stateIgnored).toMatch(/other messages/)
  })

  it('of many messages is hashed and counted with pauses', async () => {
    const list = turns(400)
    const { state } = await fit(list, { window: 1_000_000 })
    let paused = 0
    const pause = () => {
      paused++
      return undefined
    }
    await fit(copyOf(list), { window: 1_000_000, state: copyOf(state), pause })
    expect(paused).toBeGreaterThan(800)
  })

  it('can be cut after many of its results were masked: the masks before the cut are still valid', async () => {
    const list = [user('Read all files.'), ...steps(200, 2_400)]
    const first = await fit(list, { window: 100_000 })
    expect(first.state.changes.map(({ type }) => type)).toEqual(['mask'])
    expect(first.state.said.keys.length).toBeLessThanOrEqual(32)
    const [mask] = first.state.changes
    const masked = mask?.type === 'mask' ? mask.targets.length : 0
    const shorter = await fit([...list.slice(0, 201), user('Go back.')], { window: 100_000, state: first.state })
    expect(shorter.stateIgnored).toBeUndefined()
    const [kept] = shorter.state.changes
    expect(kept?.type === 'mask' && kept.targets.length).toBeGreaterThan(masked / 2 - masked / 16)
  })
})
