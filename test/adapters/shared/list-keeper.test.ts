import { expect, it } from 'vitest'
import { type KeeperEvent, type KeptList, ListKeeper } from '../../../src/adapters/shared/list-keeper.ts'
import type { Message } from '../../../src/model/types.ts'
import { featureEstimator } from '../../../src/tokens/estimate/feature-estimator.ts'
import { full } from '../../support/full.ts'
import { call, result, user } from '../../support/messages.ts'

const NAMELESS = Object.assign(new Error('Your input exceeds the context window of this model.'), { status: 400 })
const TASK = Array.from({ length: 370 }, (_, n) => `Requirement ${n}: module-${n} reports the innermost bracket.`)
const PAGE = 'const limit = Math.floor(window * 0.8) // as many as a request may have\n'.repeat(20)

/** The task, and pages that nearly fill the window. */
function listOf(window: number) {
  const steps = Math.floor((window * 0.7) / featureEstimator.text(PAGE))
  return [
    user(TASK.join('\n')),
    ...Array.from({ length: steps }, (_, n) => [call(`c${n}`), result(`c${n}`, PAGE)]).flat(),
  ]
}

it('a list keeps the task whole after a refusal that names no size, and each list is smaller than the one before', async () => {
  for (const window of full ? [16_000, 32_000, 64_000, 200_000] : [16_000]) {
    const list = listOf(window)
    const keeper = new ListKeeper('keeper', { window })
    let kept: KeptList | undefined = await keeper.fit(list)
    const texts = [JSON.stringify(kept.messages)]
    for (let refusals = 1; refusals <= 3; refusals++) {
      kept = kept && (await keeper.refit(NAMELESS, kept))
      texts.push(JSON.stringify(kept?.messages ?? []))
    }
    const shares = texts.map((text) => TASK.filter((line) => text.includes(line)).length / TASK.length)
    expect(shares.slice(0, 2)).toEqual([1, 1])
    expect(shares[3]).toBeGreaterThan(0.6)
    const sizes = texts.map((text) => text.length)
    expect(sizes).toEqual([...new Set(sizes)].toSorted((a, b) => b - a))
  }
})

const tooLong = (tokens: number, limit: number) =>
  Object.assign(new Error(`prompt is too long: ${tokens} tokens > ${limit} maximum`), { status: 400 })

const lengthOf = (kept: KeptList | undefined) => JSON.stringify(kept?.messages ?? []).length

it('a refusal that names no window teaches only the conversation that was refused', async () => {
  const keeper = new ListKeeper('keeper', { window: 64_000 })
  const [large, small] = [listOf(64_000), [user('What is the port?')]]
  const refused = await keeper.fit(large, { thread: 'large' })
  await keeper.fit(small, { thread: 'small' })
  const again = await keeper.refit(NAMELESS, refused)
  expect(lengthOf(again)).toBeLessThan(lengthOf(refused))
  expect(lengthOf(again)).toBeGreaterThan(lengthOf(refused) / 4)
  const other = [user('Another task.'), ...large.slice(1)]
  expect((await keeper.fit(other, { thread: 'other' })).messages).toEqual(other)
})

it('refusals that name no window teach none below a request that was answered', async () => {
  const keeper = new ListKeeper('keeper', { window: 200_000 })
  const first = await keeper.fit(listOf(60_000), { thread: 'one' })
  keeper.report(first, { inputTokens: first.tokens, outputTokens: 10 })
  let kept: KeptList | undefined = await keeper.fit([...first.given, user('Go on.')], { thread: 'one' })
  for (let refusals = 1; refusals <= 4; refusals++) kept = kept && (await keeper.refit(NAMELESS, kept))
  const smaller = [user('Another task.'), ...listOf(40_000).slice(1)]
  expect((await keeper.fit(smaller, { thread: 'one' })).messages).toEqual(smaller)
})

it('a window that the provider names is that of all conversations', async () => {
  const keeper = new ListKeeper('keeper', { window: 64_000 })
  const large = listOf(64_000)
  await keeper.refit(tooLong(46_000, 20_000), await keeper.fit(large, { thread: 'large' }))
  expect((await keeper.fit(large, { thread: 'other' })).tokens).toBeLessThan(20_000)
})

it('a list that is small by our count is smaller after a refusal by the count of the provider', async () => {
  const keeper = new ListKeeper('keeper', { window: 64_000 })
  const refused = await keeper.fit(listOf(30_000))
  const again = await keeper.refit(tooLong(41_000, 40_000), refused)
  expect(again).toBeDefined()
  expect(lengthOf(again)).toBeLessThan(lengthOf(refused))
})

it('a list that cannot be made smaller is not sent again', async () => {
  const keeper = new ListKeeper('keeper', { window: 64_000 })
  const short = [user('What is the port?')]
  expect(await keeper.refit(NAMELESS, await keeper.fit(short))).toBeUndefined()
  // The provider counts far more than we do, so it speaks of something else.
  expect(await keeper.refit(tooLong(900_000, 64_000), await keeper.fit(listOf(30_000)))).toBeUndefined()
})

it('the count that a provider reports for an answer is used for the next list that has it, and for no other', async () => {
  const keeper = new ListKeeper('keeper', { window: 64_000 })
  const list = listOf(20_000)
  const answer = [call('last'), result('last', PAGE)]
  const tokensOf = async (messages: Message[]) => (await keeper.fit(messages)).tokens
  const kept = await keeper.fit(list)
  keeper.report(kept, { inputTokens: 0, outputTokens: 0 })
  expect(await tokensOf([...list, ...answer])).toBeLessThan(30_000)
  keeper.report(kept, { inputTokens: 40_000, outputTokens: 20 })
  expect(await tokensOf(list)).toBeLessThan(30_000)
  expect(await tokensOf([...list.slice(0, -1), result('c0', 'Another end.'), ...answer])).toBeLessThan(30_000)
  expect(await tokensOf([...list, ...answer])).toBeGreaterThan(40_000)
})

it('after a refusal by the count of the provider, its next count gives back the whole window', async () => {
  const keeper = new ListKeeper('keeper', { window: 64_000 })
  let list = listOf(40_000)
  const refused = await keeper.fit(list)
  // The provider counts twice as much as we do.
  const countOf = (kept: KeptList) => Math.round((lengthOf(kept) * 70_000) / lengthOf(refused))
  let kept = await keeper.refit(tooLong(70_000, 64_000), refused)
  for (let step = 0; step < 5 && kept !== undefined; step++) {
    keeper.report(kept, { inputTokens: countOf(kept), outputTokens: 20 })
    list = [...list, call(`d${step}`), result(`d${step}`, PAGE.repeat(5))]
    kept = await keeper.fit(list)
  }
  expect(kept && countOf(kept)).toBeGreaterThan(42_000)
})

it('a repair is an event, once', async () => {
  const events: KeeperEvent[] = []
  const keeper = new ListKeeper('keeper', { window: 64_000, onEvent: (event) => events.push(event) })
  const list = [user('What is the port?'), call('c0'), user('Well?')]
  await keeper.fit(list)
  await keeper.fit([...list, call('c1'), result('c1', '8080')])
  const why = expect.stringContaining('c0')
  expect(events).toEqual([{ type: 'repaired', repairs: [expect.objectContaining({ index: 1, why })] }])
})
