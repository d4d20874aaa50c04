import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compact } from '../../../src/engine/compact/compact.ts'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import type { PolicyPatch } from '../../../src/model/policy/policy.ts'
import { PRESETS } from '../../../src/model/policy/presets.ts'
import type { Entry, Message } from '../../../src/model/types.ts'
import { full } from '../../support/full.ts'
import { assistant, call, modelSaying, result, turns, user } from '../../support/messages.ts'

const FIRST = 'Keep the port at 8443 and write the parser anew.'
const TODO = 'write the parser anew'
const WORK: readonly Message[] = [
  user(FIRST),
  call('a', 'todo', { items: [{ text: TODO, status: 'pending' }] }),
  result('a'),
  call('b', 'bash', { command: "sed -i s/8080/8443/ conf/ports.yaml && node gen.js > 'src/made.ts'" }),
  result('b'),
  call('c', 'read', { path: 'src/parser.ts' }),
  result('c'),
]
const SUMMARY = `## Goal\nTo write the parser anew in src/parser.ts, with the port 8443 in conf/ports.yaml and src/made.ts. ${'It goes on. '.repeat(9)}`

describe('the facts that a compaction stores', () => {
  const presets = Object.keys(PRESETS) as (keyof typeof PRESETS)[]
  const windows = fc.oneof(fc.constantFrom(4_000, 32_000, 2_000_000), fc.integer({ min: 4_000, max: 2_000_000 }))

  it('are all facts of its span under every preset, so that the next policy can show them', async () => {
    const runs = fc.asyncProperty(fc.constantFrom(...presets), windows, async (preset, contextWindow) => {
      const log = await compacted(logOf([...WORK, ...turns(12, 500)]), { preset }, contextWindow)
      // Enough that the record may have some length, too.
      const answers = Array.from({ length: 12 }, (_, i) => [user(`And part ${i}?`), assistant('It is. '.repeat(200))])
      const later = appended(log, said(answers.flat()))
      const last = await compacted(later, { preset: 'pith', mode: 'auto' }, contextWindow)
      for (const fact of [FIRST, TODO, 'ports.yaml', 'made.ts']) expect(recordOf(last)).toContain(fact)
      // A small record has no room for what was only read.
      if (contextWindow >= 32_000) expect(recordOf(last)).toContain('parser.ts')
    })
    await fc.assert(runs, { numRuns: full ? 400 : 10 })
  })

  it('are not shown by a record that lists only files, those of earlier spans included', async () => {
    const log = await compacted(logOf([...WORK, ...turns(12, 500)]), { preset: 'kit' }, 32_000)
    expect(recordOf(log)).toContain('src/parser.ts')
    for (const fact of [FIRST, TODO, 'ports.yaml', 'made.ts']) expect(recordOf(log)).not.toContain(fact)
    const later = appended(log, said([call('d'), result('d'), ...turns(30)]))
    expect(recordOf(await compacted(later, { preset: 'kit' }, 32_000))).toContain(
      '## Read Files\n- d.ts\n- src/parser.ts',
    )
  })
})

async function compacted(log: readonly Entry[], policy: PolicyPatch, contextWindow: number): Promise<readonly Entry[]> {
  const done = await compact({ log, policy, model: { contextWindow }, summaryModels: [modelSaying(SUMMARY)] })
  expect(done).toMatchObject({ compacted: true })
  return [...log, ...done.entries]
}

function recordOf(log: readonly Entry[]): string {
  const [item] = viewOf(log).items
  expect(item?.kind).toBe('summary')
  return String(item?.message.content).replaceAll(SUMMARY.trim(), '')
}

function said(messages: readonly Message[]) {
  return messages.map((message) => ({ type: 'message' as const, message }))
}
