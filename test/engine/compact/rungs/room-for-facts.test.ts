import { describe, expect, it } from 'vitest'
import { compact } from '../../../../src/engine/compact/compact.ts'
import { roomForFacts } from '../../../../src/engine/compact/rungs/room-for-facts.ts'
import { logOf } from '../../../../src/engine/context/view/log.ts'
import { allowancesOf, type CompactPlan } from '../../../../src/engine/plan/plan-shape.ts'
import { policyOf } from '../../../../src/model/policy/presets.ts'
import { type Item, type Message, textOf } from '../../../../src/model/types.ts'
import { budgetOf } from '../../../../src/tokens/budget.ts'
import type { Estimator } from '../../../../src/tokens/estimate/estimator.ts'
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
  expect(long).toBeLessThan(short)
  expect(long).toBeGreaterThan(1_000)
})

describe('the room for facts', () => {
  const messages = turns(10, 400)
  const allowances = {
    ...allowancesOf(budgetOf(policyOf(), contextWindow)),
    room: 10_000,
    indexTokens: 100,
    summaryTokens: 500,
    nameTokens: 0,
    firstUserTokens: 0,
  }
  const plan: CompactPlan = { kind: 'compact', cut: messages.length, splitTurn: false, allowances, squeezes: [] }
  const roomFor = (summaryTokens: number, more: Partial<CompactPlan> = {}, said: readonly Message[] = messages) =>
    roomWith(featureEstimator, summaryTokens, more, said)
  function roomWith(estimator: Estimator, summaryTokens: number, more: Partial<CompactPlan>, said: readonly Message[]) {
    return roomForFacts(prepared({ log: logOf(said), estimator }), { ...plan, ...more }, summaryTokens)
  }

  it('is what the index has and the summary leaves, if nothing limits it or the rest is full', () => {
    const full = { squeezes: [{ target: 1, head: 1, tail: 1 }] }
    expect(roomFor(200, full)).toBe(400)
    expect(roomFor(700, full)).toBe(100)
    expect(roomFor(200, { allowances: { ...allowances, room: Number.POSITIVE_INFINITY } })).toBe(400)
  })

  it('is a good part of what the tail leaves empty, but not most of it', () => {
    const left = roomFor(200)
    expect(left).toBeGreaterThan(2_000)
    expect(left).toBeLessThan(5_000)
  })

  it('is less if the tail, names, first words and summary take more', () => {
    const long = [...messages, assistant('word '.repeat(7_000))]
    const beside = (more: object) => roomFor(200, { allowances: { ...allowances, ...more } }, long)
    const left = beside({})
    expect(left).toBeLessThan(roomFor(200))
    expect(beside({ nameTokens: 500 })).toBeLessThan(left)
    expect(beside({ firstUserTokens: 500 })).toBeLessThan(left)
    expect(roomFor(700, {}, long)).toBeLessThan(left)
    expect(beside({ room: 5_000 })).toBe(400)
  })

  it('is counted in the tokens of facts, whatever the estimator of the session counts', () => {
    const double: Estimator = { name: 'double', text: (text) => 2 * featureEstimator.text(text) }
    expect(roomWith(double, 0, {}, messages) * 2).toBeCloseTo(roomFor(0), -2)
  })
})
