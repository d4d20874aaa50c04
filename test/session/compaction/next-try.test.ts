import { describe, expect, it, onTestFinished } from 'vitest'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { policyOf } from '../../../src/model/policy/presets.ts'
import type { Message } from '../../../src/model/types.ts'
import type { CompactSessionInput } from '../../../src/session/compaction/compact-session.ts'
import {
  canDigest,
  grownSince,
  pauseAppends,
  triesOf,
  withoutModels,
  withRoomFor,
} from '../../../src/session/compaction/next-try.ts'
import type { OpenSession } from '../../../src/session/open-session.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { budgetOf } from '../../../src/tokens/budget.ts'
import { modelSaying, user } from '../../support/messages.ts'

it('while others wait, one continues to write, and they do when it is over', async () => {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
  const said = (text: string) => [{ type: 'message' as const, message: user(text) }]
  const paused = await pauseAppends(store, id)
  const second = await pauseAppends(store, id)
  const waiting = store.append(id, said('later'))
  await paused.store.append(id, said('first'))
  expect(second.store).toBe(store)
  await second.resume()
  expect((await store.entries(id)).entries).toMatchObject([{ message: user('first') }])
  await paused.resume()
  expect(await store.pauseAppends(id, 1_000)).toEqual(expect.any(String))
  await waiting
  expect((await store.entries(id)).entries).toMatchObject([{ message: user('first') }, { message: user('later') }])
})

const input = (more: Partial<CompactSessionInput> = {}): CompactSessionInput => ({ holder: 'test', ...more })
const models = [modelSaying('a summary')]

describe('how often a compaction is tried', () => {
  it.each([
    ['without a model', input(), 3],
    ['with a model, by the user', input({ summaryModels: models }), 4],
    ['with a warm model, by the user', input({ warm: {} as NonNullable<CompactSessionInput['warm']> }), 4],
    ['with a model, by itself', input({ summaryModels: models, reason: 'threshold' }), 3],
    ['with a model, by the user who said so', input({ summaryModels: models, reason: 'manual' }), 4],
    ['with a model alone', input({ summaryModels: models, policy: { rungs: ['cold'] } }), 3],
    ['with no model in the list', input({ summaryModels: [] }), 3],
  ])('%s', (_, given, tries) => {
    expect(triesOf(given, policyOf(given.policy))).toBe(tries)
  })

  it('the last time without a model, if the policy has a digest', () => {
    expect(canDigest(policyOf())).toBe(true)
    expect(canDigest(policyOf({ rungs: ['cold', 'squeeze'] }))).toBe(false)
    const without = withoutModels(input({ summaryModels: models, reason: 'manual' }))
    expect(without).toEqual({ holder: 'test', reason: 'manual', summaryModels: [], warm: undefined })
  })
})

function opened(...messages: readonly Message[]): OpenSession {
  const log = logOf(messages)
  return { session: {} as OpenSession['session'], log, view: viewOf(log), bad: [] }
}

describe('what others say while a compaction is made', () => {
  const [before, after] = [opened(user('one')), opened(user('one'), user('word '.repeat(100)))]

  it('is counted in tokens', () => {
    const grown = grownSince(before, after, input())
    expect(grown).toBeGreaterThan(80)
    expect(grown).toBeLessThan(120)
    expect(grownSince(after, after, input())).toBe(0)
    expect(grownSince(after, before, input())).toBe(0)
  })

  it('gets room twice of that at the next try, and never more than seven tenths of the target', () => {
    const model = { contextWindow: 100_000 }
    const { target: whole = 0 } = budgetOf(policyOf({}), model.contextWindow, undefined, 0)
    const target = (grown: number) => withRoomFor(grown, before, input({ model })).policy?.targetMaxTokens
    expect(target(100)).toBe(whole - 200)
    expect(target(whole)).toBe(Math.floor(whole * 0.3))
  })

  it('needs no room if nothing was said, no target is known or none has to be reached', () => {
    const model = { contextWindow: 100_000 }
    for (const [grown, given] of [
      [0, input({ model })],
      [100, input()],
      [100, input({ model, policy: { fitTarget: false } })],
    ] as const) {
      expect(withRoomFor(grown, before, given)).toBe(given)
    }
  })
})
