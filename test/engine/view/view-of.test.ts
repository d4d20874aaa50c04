import { expect, it } from 'vitest'
import { appended, logOf } from '../../../src/engine/view/log.ts'
import { viewOf } from '../../../src/engine/view/view-of.ts'
import { compaction } from '../../support/compaction.ts'
import { turns } from '../../support/messages.ts'

const log = logOf(turns(3))

it('a view of messages alone has changed nothing', () => {
  expect(viewOf([])).toMatchObject({ revision: 0, settled: 0, lastSeq: 0 })
  expect(viewOf(log)).toMatchObject({ revision: 0, settled: 0, lastSeq: 6 })
  expect(viewOf(log).settledBy).toBeUndefined()
})

it('a view names the entry that changed it last, and the one from which growth is counted', () => {
  const compacted = appended(log, [compaction({ upTo: 4 })])
  expect(viewOf(compacted)).toMatchObject({ revision: 7, settled: 7, settledBy: 'compaction', lastSeq: 7 })
  const pinned = appended(compacted, [{ type: 'pin', target: 5, on: true }])
  expect(viewOf(pinned)).toMatchObject({ settled: 7, settledBy: 'compaction', lastSeq: 8 })
  const undone = appended(pinned, [{ type: 'undo', of: 7 }])
  expect(viewOf(undone)).toMatchObject({ revision: 9, settled: 9, settledBy: 'undo', lastSeq: 9 })
})
