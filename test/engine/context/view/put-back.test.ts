import { describe, expect, it } from 'vitest'
import { undoTargets } from '../../../../src/engine/context/view/activity.ts'
import { appended, logOf } from '../../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../../src/engine/context/view/view-of.ts'
import { type Entry, type EntryDraft, messagesOf } from '../../../../src/model/types.ts'
import { compaction } from '../../../support/compaction.ts'
import { assistant, call, result, user } from '../../../support/messages.ts'

const LONG = 'a long line of output '.repeat(40)
const said = logOf([user('go'), call('a'), result('a', LONG), assistant('done'), user('and now?'), assistant('that')])
const back: EntryDraft = { type: 'pin', target: 3, on: true, back: [2, 3] }

describe('a message that is put back', () => {
  it('appears word for word after the record that had taken it out', () => {
    const log = appended(said, [compaction({ upTo: 4 })])
    expect(shown(log)).toEqual(['summary', 5, 6])
    expect(shown(appended(log, [back]))).toEqual(['summary', 2, 3, 5, 6])
    expect(messagesOf(viewOf(appended(log, [back])))[2]).toEqual(result('a', LONG))
  })

  it('comes back through every record and mask that was there before it', () => {
    const mask: EntryDraft = { type: 'mask', targets: [3], tokensBefore: 2, tokensAfter: 1 }
    const squeeze: EntryDraft = { type: 'squeeze', squeezes: [{ target: 3, head: 20, tail: 20 }] }
    const log = appended(said, [mask, squeeze, compaction({ upTo: 4 }), compaction({ upTo: 5 }), back])
    expect(shown(log)).toEqual(['summary', 2, 3, 6])
    expect(messagesOf(viewOf(log))[2]).toEqual(result('a', LONG))
  })

  it('is counted by the measure that counted the view before it', () => {
    const drift = { factor: 1.25, model: 'test/m' }
    const log = appended(said, [compaction({ upTo: 4 })])
    expect(viewOf(appended(log, [{ type: 'pin', target: 3, on: true, back: [2, 3], drift }])).drift).toEqual(drift)
  })

  it('is pinned, and gone again only when it was unpinned before the next record', () => {
    const log = appended(said, [compaction({ upTo: 4 }), back])
    expect(
      viewOf(log)
        .items.slice()
        .find(({ seq }) => seq === 3),
    ).toMatchObject({ pinned: true })
    const unpinned = appended(log, [{ type: 'pin', target: 3, on: false }])
    expect(shown(unpinned)).toEqual(['summary', 2, 3, 5, 6])
    expect(shown(appended(unpinned, [compaction({ upTo: 5 })]))).toEqual(['summary', 6])
  })

  it('is a change of the view that an undo takes back and a redo does again; a pin alone is none', () => {
    const compacted = appended(said, [compaction({ upTo: 4 })])
    const log = appended(compacted, [back])
    expect(viewOf(log).revision).toBe(8)
    expect(undoTargets(log)).toEqual({ undo: 8 })
    const undone = appended(log, [{ type: 'undo', of: 8 }])
    expect(shown(undone)).toEqual(shown(compacted))
    expect(undoTargets(undone)).toEqual({ undo: 7, redo: 9 })
    expect(shown(appended(undone, [{ type: 'undo', of: 9 }]))).toEqual(shown(log))
    expect(undoTargets(appended(compacted, [{ type: 'pin', target: 5, on: true }]))).toEqual({ undo: 7 })
  })
})

function shown(log: readonly Entry[]): (number | 'summary')[] {
  return viewOf(log)
    .items.slice()
    .map(({ kind, seq }) => (kind === 'summary' ? kind : seq))
}
