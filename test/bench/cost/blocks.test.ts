import { describe, expect, it } from 'vitest'
import { blocksIn, placesOf } from '../../../bench/cost/blocks/block.ts'
import { BlockKeeper } from '../../../bench/cost/blocks/block-keeper.ts'
import { BLOCK_RULES, LIKELY_NAMES } from '../../../bench/cost/blocks/rules.ts'
import { samplesOf } from '../../../bench/cost/blocks/samples.ts'
import { type Situation, situationAt } from '../../../bench/cost/blocks/situation.ts'
import { madeUpSession } from '../../../bench/cost/made-up.ts'
import { outcomesOf, sumOf } from '../../../bench/cost/outcome.ts'
import { SONNET } from '../../../bench/cost/prices.ts'
import { costSession } from '../../../bench/cost/sessions.ts'
import { logOf, type Message } from '../../../src/engine.ts'
import { Items } from '../../../src/model/items.ts'

const session = costSession({
  name: 'one',
  agent: 'made-up',
  log: madeUpSession(1, 160_000),
  system: 'be brief',
})

function exchange(id: string, toolName: string, input: object, output: string): Message[] {
  return [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName, input }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: id, toolName, output: { type: 'text', value: output } }],
    },
  ]
}

function measuredOf(messages: Message[]) {
  return costSession({ name: 'few', agent: 'made-up', log: logOf(messages), system: '' }).measured
}

function situationOf(messages: Message[]) {
  const measured = measuredOf(messages)
  return situationAt({
    said: 1_000,
    messages: measured.messages,
    blocks: blocksIn(measured, 10),
    view: [],
    shownWords: new Set(),
    places: placesOf(measured),
  })
}

describe('blocks', () => {
  it('are cut at the most lines', () => {
    const text = Array.from({ length: 25 }, (_, i) => `const value${i} = compute(${i})`).join('\n')
    const blocks = blocksIn(measuredOf(exchange('1', 'read', { path: 'src/a.ts' }, text)), 10)
    expect(blocks.filter(({ kind }) => kind === 'read').map(({ lines }) => lines.length)).toEqual([10, 10, 5])
    expect(blocks.at(-1)?.files).toEqual(['src/a.ts'])
  })

  it('are candidates only while nothing later repeats or replaces all of their lines', () => {
    const read = exchange('1', 'read', { path: 'src/a.ts' }, 'const limit = readLimit()')
    const kinds = (more: Message[]) => situationOf([...read, ...more]).candidates.map(({ kind, seq }) => [kind, seq])
    expect(kinds([])).toContainEqual(['read', 2])
    expect(kinds(exchange('2', 'read', { path: 'src/a.ts' }, 'const limit = readLimit()'))).not.toContainEqual([
      'read',
      2,
    ])
    const edit = { path: 'src/a.ts', old_string: 'const limit = readLimit()', new_string: 'const limit = 12_000_000' }
    expect(kinds(exchange('2', 'edit', edit, 'done'))).not.toContainEqual(['read', 2])
  })
})

describe('a rule', () => {
  it('keeps no more than fits', () => {
    const samples = samplesOf(session, 10)
    expect(samples.length).toBeGreaterThan(0)
    for (const { situation } of samples) {
      for (const rule of BLOCK_RULES) {
        const tokens = rule.keep(situation, 2_000).reduce((sum, block) => sum + block.tokens, 0)
        expect(tokens).toBeLessThanOrEqual(2_000)
      }
    }
  })

  it('for likely names shows a name once, and prefers names that calls have used', () => {
    const situation = situationOf([
      ...exchange('1', 'run', { command: 'show' }, 'the value of loadConfig is read at the start'),
      ...exchange('2', 'run', { command: 'show' }, 'the value of saveConfig is read at the end'),
      ...exchange('3', 'run', { command: 'open loadConfig' }, 'nothing'),
      ...exchange('4', 'run', { command: 'open loadConfig again' }, 'nothing'),
    ])
    const shown = LIKELY_NAMES.keep(situation, 1_000).flatMap(({ words }) => [...words])
    expect(shown.filter((word) => word === 'loadConfig')).toHaveLength(1)
    const [first] = LIKELY_NAMES.keep(situation, 40)
    expect(first?.words.has('loadConfig')).toBe(true)
  })
})

const NO_USES = { references: new Map(), edits: new Map() }

describe('a replay with blocks', () => {
  it('shows them from a record until the next one, and not after masks alone', () => {
    const { measured } = session
    const seq = measured.messages.findLast(({ message }) => message.role === 'assistant')?.seq ?? 0
    const choice = { mostLines: 10, choose: ({ candidates }: Situation) => candidates.slice(0, 1) }
    const keeper = new BlockKeeper(measured, choice, { ...NO_USES, withoutLists: (texts) => [...texts] }, () => 1)
    const request = { seq, at: 0, input: 1_000, cacheRead: 900, cacheWrite: 100, output: 1 }
    const mask = { rung: 'mask' as const, tokensBefore: 2_000, tokensAfter: 1_000 }
    const record = { ...mask, rung: 'digest' as const, call: { inputTokens: 2_000, outputTokens: 100 } }
    expect(keeper.request({ ...request, compacted: mask }, Items.of()).length).toBe(0)
    const [shown] = keeper.request({ ...request, compacted: record }, Items.of())
    expect(shown?.message.content).toContain(blocksIn(measured, 10)[0]?.text)
    expect([...keeper.request(request, Items.of())]).toEqual([shown])
    expect(keeper.cost).toBe(2)
  })

  it('pays for them', async () => {
    const policy = { triggerMaxTokens: 60_000, targetMaxTokens: 16_000, keepTokens: 2_000, rungs: ['digest' as const] }
    const play = async (most: number) => {
      const blocks = { mostLines: 10, choose: (situation: Situation) => LIKELY_NAMES.keep(situation, most) }
      return sumOf((await outcomesOf({ name: 'blocks', policy, blocks }, [session], 200_000, SONNET)).bySession)
    }
    const [without, withBlocks] = [await play(0), await play(20_000)]
    expect(withBlocks.compactions).toBe(without.compactions)
    expect(withBlocks.cost - withBlocks.readAgain).toBeGreaterThan(without.cost - without.readAgain)
  })
})
