import { expect, it } from 'vitest'
import { untouched } from '../../../src/engine/compact/compact.ts'
import { openContext } from '../../../src/engine/context/open-context.ts'
import { compactionLine } from '../../../src/server/observe/watch-requests.ts'

it('an automatic compaction has a line when it ends, and one that was asked for has none', () => {
  const result = { ...untouched(openContext([]), {}), outcome: 'refused', reason: 'not now' } as const
  expect(compactionLine('s1', { type: 'compaction-ended', automatic: false, result })).toBeUndefined()
  expect(compactionLine('s1', { type: 'compaction-ended', automatic: true, result })).toMatchObject({
    session: 's1',
    compaction: 'automatic',
    outcome: 'refused',
    text: expect.stringContaining('not now'),
    tokens_before: 0,
    tokens_after: 0,
  })
})
