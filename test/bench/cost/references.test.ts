import { describe, expect, it } from 'vitest'
import { referencesIn } from '../../../bench/cost/references.ts'
import { RetentionCounter } from '../../../bench/cost/retained.ts'
import { compact, logOf, type Message, viewOf } from '../../../src/engine.ts'
import { listRemover } from '../../../src/eval/probes/name-lists.ts'
import { Items } from '../../../src/model/items.ts'
import { measureLog } from '../../../src/study/replay/measured-log.ts'

const far = 'so it goes on and on '.repeat(6_000)

function call(toolCallId: string, input: unknown): Message {
  return { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName: 'Read', input }] }
}

function result(toolCallId: string, value: string): Message {
  return {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId, toolName: 'Read', output: { type: 'text', value } }],
  }
}

const said: Message[] = [
  { role: 'user', content: 'look at src/engine/plan.ts and at cutWithin in it' },
  call('a', { path: 'src/engine/plan.ts' }),
  result('a', far),
  call('b', { path: 'src/engine/plan.ts', pattern: 'cutWithin' }),
  result('b', 'found'),
]

describe('what an answer refers back to', () => {
  const references = referencesIn(measureLog(logOf(said)))

  it('are files and identifiers that were named before, with how long ago', () => {
    const later = references.get(4) ?? []
    expect(later.map(({ words }) => words)).toEqual([['engine', 'plan.ts'], ['cutWithin']])
    for (const { distance } of later) expect(distance).toBeGreaterThan(20_000)
  })

  it('is nothing that is named for the first time, and no plain word', () => {
    const first = referencesIn(measureLog(logOf([call('a', { path: 'src/new.ts', text: 'plain words' })])))
    expect(first.size).toBe(0)
  })

  it('is kept while its words are in the view, as a path or in a list by folder', () => {
    const counter = new RetentionCounter(references, listRemover(said))
    counter.request(
      4,
      viewOf(logOf([{ role: 'user', content: 'files in src/engine: plan.ts; names: cutWithin' }])).items,
    )
    expect(counter.result()).toEqual({ found: 2, named: 2, of: 2 })
  })

  it('is lost when one of its words is gone, also when the view shrinks', () => {
    const counter = new RetentionCounter(references, listRemover(said))
    counter.request(2, viewOf(logOf(said.slice(0, 1))).items)
    counter.request(4, viewOf(logOf([{ role: 'user', content: 'files in src/engine: plan.ts' }])).items)
    expect(counter.result()).toEqual({ found: 1, named: 1, of: 2 })
  })

  it('is named and not found if it is only in a list of names of a record, or after masked output', async () => {
    const words = Array.from({ length: 30 }, (_, i) => ({
      role: 'assistant' as const,
      content: `step ${i}: ${far.slice(0, 4_000)}`,
    }))
    const { view } = await compact({
      log: logOf([...said.slice(0, 1), ...words]),
      policy: { keepMessages: 1, rungs: ['digest'] },
      reason: 'manual',
      model: { contextWindow: 30_000 },
    })
    const [record] = view.items.slice()
    if (record?.kind !== 'summary') return expect.unreachable()
    const listed = {
      ...record,
      message: {
        role: 'user' as const,
        content: '## Names\n- engine/plan.ts, cutWithin, otherName, oneMore, aFourth, aFifth, aSixth\n\nanother text',
      },
    }
    const counter = new RetentionCounter(references, listRemover(said))
    counter.request(4, Items.of([listed]))
    expect(counter.result()).toEqual({ found: 0, named: 2, of: 2 })
    const masked = result(
      'a',
      '[masked to save context: 900 characters, recall #3; names in it: engine plan.ts cutWithin]',
    )
    const behind = new RetentionCounter(references, listRemover(said))
    behind.request(4, viewOf(logOf([call('a', {}), masked])).items)
    expect(behind.result()).toEqual({ found: 0, named: 2, of: 2 })
  })
})
