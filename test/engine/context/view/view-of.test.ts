import { expect, it } from 'vitest'
import { appended, logOf } from '../../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../../src/engine/context/view/view-of.ts'
import { messagesOf } from '../../../../src/model/types.ts'
import { compaction } from '../../../support/compaction.ts'
import { liveHeap } from '../../../support/live-heap.ts'
import { call, result, turns, user } from '../../../support/messages.ts'

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

/** An older result that is squeezed, and a newer one; the handles of both share few characters for names. */
const masked = appended(
  logOf([user('Look.'), call('a'), result('a', named('old')), call('b'), result('b', named('new')), user('And now?')]),
  [
    { type: 'squeeze', squeezes: [{ target: 3, head: 20_000, tail: 20_000 }] },
    { type: 'mask', targets: [3, 5], nameCharacters: 200, tokensBefore: 0, tokensAfter: 0 },
  ],
)

it('a log has one view, however often and with whatever at its end it was folded before', () => {
  const first = messagesOf(viewOf(masked))
  expect(messagesOf(viewOf(masked))).toEqual(first)
  const back = appended(masked, [{ type: 'pin', target: 5, on: true, back: [5] }])
  expect(messagesOf(viewOf(back))).toEqual(messagesOf(viewOf(structuredClone(back))))
  expect(messagesOf(viewOf(masked))).toEqual(first)
})

it('to fold a log again keeps nothing more in memory', () => {
  viewOf(masked)
  const before = liveHeap()
  for (let time = 0; time < 100; time++) viewOf(masked)
  // Each fold squeezes the old result again, to 40 kB.
  expect(liveHeap() - before).toBeLessThan(2_000_000)
})

function named(name: string): string {
  return Array.from({ length: 4_000 }, (_, i) => `${name}Name${i}();`).join('\n')
}
