import { expect, it } from 'vitest'
import type { Entry } from '../../../src/model/types.ts'
import { registryOf } from '../../../src/models/registry.ts'
import { ownModel } from '../../../src/session/import/origin.ts'

const registry = registryOf([
  { provider: 'openai', model: 'gpt', contextWindow: 400_000, maxInput: 272_000 },
  { provider: 'openai', model: 'mini', contextWindow: 128_000 },
])
const settings = (seq: number, more: object): Entry => ({ id: `e${seq}`, seq, at: 0, type: 'settings', ...more })
const imported = (window: number) =>
  settings(1, { origin: { agent: 'codex', model: 'openai/gpt', window, guess: { from: 'usage', tokens: 9 } } })

it('a session is measured with the window that its agent worked with', () => {
  const { name, info, guess } = ownModel([imported(200_000)], registry)
  expect([name, info.contextWindow, info.maxInput, guess]).toEqual([
    'openai/gpt',
    200_000,
    undefined,
    { from: 'usage', tokens: 9 },
  ])
})

it('a window that is the model’s own keeps what else is known of the model', () => {
  expect(ownModel([imported(400_000)], registry).info).toMatchObject({ contextWindow: 400_000, maxInput: 272_000 })
})

it('the window goes with its model: another one that was chosen since has its own', () => {
  const { name, info, guess } = ownModel([imported(200_000), settings(2, { model: 'openai/mini' })], registry)
  expect([name, info.contextWindow, guess]).toEqual(['openai/mini', 128_000, undefined])
})

it('a session without an origin has the model of its last answer, or none', () => {
  expect(ownModel([settings(1, { model: 'openai/mini' })], registry)).toMatchObject({
    name: 'openai/mini',
    info: { contextWindow: 128_000 },
  })
  expect(ownModel([], registry).name).toBeUndefined()
  const named = ownModel([settings(1, { origin: { agent: 'codex', model: 'openai/gpt' } })], registry)
  expect(named).toMatchObject({ name: 'openai/gpt', info: { contextWindow: 400_000, maxInput: 272_000 } })
  expect(named.guess).toBeUndefined()
})

it('a guessed window is marked as assumed; a default is dropped when the session has grown beyond it', () => {
  const guess = { from: 'default', tokens: 9 } as const
  const claude = settings(1, { origin: { agent: 'Claude Code', model: 'openai/gpt', window: 200_000, guess } })
  const answer = (inputTokens: number) =>
    settings(2, {
      type: 'message',
      message: { role: 'assistant', content: 'Done.' },
      usage: { inputTokens, outputTokens: 1 },
    })
  const window = ({ info }: ReturnType<typeof ownModel>) => [info.contextWindow, info.windowAssumed]
  expect(window(ownModel([claude, answer(200_000)], registry))).toEqual([200_000, true])
  expect(window(ownModel([claude, answer(200_001)], registry))).toEqual([400_000, undefined])
  expect(window(ownModel([imported(400_000)], registry))).toEqual([400_000, true])
})
