import { describe, expect, it } from 'vitest'
import { compact } from '../../../../src/engine/compact/compact.ts'
import type { CompactInput } from '../../../../src/engine/compact/compact-state.ts'
import { recordRoom } from '../../../../src/engine/compact/rungs/record-room.ts'
import { logOf } from '../../../../src/engine/context/view/log.ts'
import { type Allowances, allowancesOf, type CompactPlan } from '../../../../src/engine/plan/plan-shape.ts'
import { policyOf } from '../../../../src/model/policy/presets.ts'
import { type Item, type Message, textOf } from '../../../../src/model/types.ts'
import { budgetOf } from '../../../../src/tokens/budget.ts'
import { messagesTokens } from '../../../../src/tokens/estimate/estimator.ts'
import { featureEstimator } from '../../../../src/tokens/estimate/feature-estimator.ts'
import { assistant, call, modelSaying, result, turns, user } from '../../../support/messages.ts'
import { prepared } from '../../../support/prepared.ts'

const COMMANDS = 210
const ran = (i: number): Message[] => [
  call(`c${i}`, 'bash', { command: `make part-${i} TARGET=release` }),
  result(`c${i}`, `${'built and linked\n'.repeat(40)}exit code: 0`, 'bash'),
]
const log = logOf([user('Build all parts.'), ...Array.from({ length: COMMANDS }, (_, i) => ran(i)).flat()])
const contextWindow = 24_000
const target = contextWindow / 2
const tokensOf = (messages: readonly Message[]) => messagesTokens(messages, featureEstimator)

it('a digest never needs more than the target, however much of it the tail takes', async () => {
  for (const keepTokens of [0, 2_000, 4_000, 8_000]) {
    const policy = { rungs: ['digest' as const], keepTokens, keepMaxPercent: 100 }
    const made = await compact({ log, reason: 'threshold', model: { contextWindow }, policy })
    expect(made.compacted).toBe(true)
    expect(made.tokensAfter).toBeLessThanOrEqual(target)
  }
})

it('a record whose size is limited has fewer facts beside a summary, and some beside a long one', async () => {
  const edited = Array.from({ length: 150 }, (_, i) => [
    call(`e${i}`, 'edit', { path: `src/part-${i}.ts`, oldText: 'x', newText: `export function build${i}Rows() {}` }),
    result(`e${i}`, `Applied. ${'a line of the file\n'.repeat(20)}`, 'edit'),
  ])
  const log = logOf([user('Change all parts.'), ...edited.flat(), assistant('Done.'), user('And now?')])
  const factsBeside = async (lines: number, recordTokens?: number) => {
    const changed = Array.from({ length: lines }, (_, i) => `src/part-${i}.ts has build${i}Rows now.`)
    const summary = `## State\n${changed.join('\n')}`
    const input = { log, model: { contextWindow: 200_000 }, policy: { keepTokens: 0 }, recordTokens }
    const { view, entries } = await compact({ ...input, summaryModels: [modelSaying(summary)] })
    expect(entries).toMatchObject([{ type: 'compaction', rung: 'cold' }])
    return textOf((view.items.at(0) as Item).message).length - summary.length
  }
  const [unlimited, short, long] = [await factsBeside(20), await factsBeside(20, 2_000), await factsBeside(149, 2_000)]
  expect(short).toBeLessThan(unlimited * 0.75)
  expect(long).toBeLessThanOrEqual(short)
  expect(long).toBeGreaterThan(1_000)
})

describe('the room of a record', () => {
  const messages = turns(10, 400)
  const sized = (more: Partial<Allowances> = {}): Allowances => ({
    ...allowancesOf(budgetOf(policyOf(), contextWindow)),
    room: 10_000,
    recordTokens: 100,
    ...more,
  })
  const planOf = (more: Partial<CompactPlan> = {}): CompactPlan => ({
    ...{ kind: 'compact', cut: messages.length, splitTurn: false, allowances: sized(), squeezes: [] },
    ...more,
  })
  const roomFor = (more: Partial<CompactPlan> = {}, said = messages, input: Partial<CompactInput> = {}) =>
    recordRoom(prepared({ log: logOf(said), ...input }), planOf(more))

  it('is what the plan gives it, if the rest is full', () => {
    expect(roomFor({ squeezes: [{ target: 1, head: 1, tail: 1 }] })).toBe(100)
    const long = [...messages, assistant('word '.repeat(12_000))]
    expect(roomFor({}, long)).toBe(100)
  })

  it('is all that the tail leaves empty, and less if the tail takes more', () => {
    expect(roomFor()).toBeGreaterThan(9_000)
    expect(roomFor()).toBeLessThanOrEqual(10_000)
    const tail = tokensOf(messages.slice(10))
    expect(roomFor({ cut: 10 })).toBeGreaterThan(9_000 - tail)
    expect(roomFor({ cut: 10 })).toBeLessThanOrEqual(10_000 - tail)
    expect(roomFor({ allowances: sized({ room: 5_000 }) })).toBeLessThanOrEqual(5_000)
  })

  it('is limited if the caller limits it, and if nothing else does', () => {
    expect(roomFor({}, messages, { recordTokens: 70 })).toBe(70)
    expect(roomFor({ squeezes: [{ target: 1, head: 1, tail: 1 }] }, messages, { recordTokens: 70 })).toBe(70)
    const unlimited = { allowances: sized({ room: Number.POSITIVE_INFINITY }) }
    expect(roomFor(unlimited)).toBeLessThanOrEqual(16_000)
    expect(roomFor(unlimited, messages, { recordTokens: 70 })).toBe(70)
  })
})
