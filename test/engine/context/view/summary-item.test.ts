import { expect, it } from 'vitest'
import { appended, logOf } from '../../../../src/engine/context/view/log.ts'
import { REDACTED_SUMMARY } from '../../../../src/engine/context/view/summary-item.ts'
import { foldLog, viewOf } from '../../../../src/engine/context/view/view-of.ts'
import type { Entry, View } from '../../../../src/model/types.ts'
import { compaction } from '../../../support/compaction.ts'
import { turns } from '../../../support/messages.ts'

const users = [
  { seq: 1, text: 'first' },
  { seq: 3, text: 'second' },
]
const log = appended(logOf(turns(4)), [
  compaction({ upTo: 4, summary: 'S', indexDelta: { files: [], users } }),
  compaction({ upTo: 6, summary: 'T', messages: 3, indexDelta: { files: [], users: [{ seq: 5, text: 'third' }] } }),
])
const summaryOf = (entries: readonly Entry[]) => summaryIn(viewOf(entries))
function summaryIn(view: View) {
  const item = view.items.at(0)
  if (item?.kind !== 'summary') throw new Error('no summary')
  return item
}

it('a summary has the facts of those that it replaced, the oldest first', () => {
  const summary = summaryOf(log)
  expect(summary).toMatchObject({ seq: 10, from: 1, upTo: 6, text: 'T', frame: 'pith', pinned: false })
  expect(summary.index.users.map(({ text }) => text)).toEqual(['first', 'second', 'third'])
})

it('a summary that nothing changed is not rendered again', () => {
  const { view, made } = foldLog(log)
  const longer = foldLog(appended(log, [{ type: 'pin', target: 8, on: true }]), made)
  expect(summaryIn(longer.view)).toBe(summaryIn(view))
})

it('of the summaries that were replaced only the last is still known, so that a session may be compacted thousands of times', () => {
  const whole = appended(log, [compaction({ upTo: 7, summary: 'U' })])
  const [first, second] = [whole.slice(0, 9), whole.slice(0, 10)]
  const one = foldLog(first)
  const two = foldLog(second, one.made)
  const { made } = foldLog(whole, two.made)
  expect(summaryIn(foldLog(second, made).view)).toBe(summaryIn(two.view))
  const again = summaryIn(foldLog(first, made).view)
  expect(again).not.toBe(summaryIn(one.view))
  expect(again).toEqual(summaryIn(one.view))
})

it('a summary that the user rewrote is rendered again', () => {
  expect(summaryOf(log).text).toBe('T')
  const edited = summaryOf(appended(log, [{ type: 'edit', of: 10, summary: 'U' }]))
  expect(edited.text).toBe('U')
  expect(edited.index.users).toHaveLength(3)
})

it('a summary without an entry that was redacted has none of its facts', () => {
  expect(summaryOf(log).index.users).toHaveLength(3)
  const redacted = summaryOf(appended(log, [{ type: 'redact', target: 3 }]))
  expect(redacted.text).toBe(REDACTED_SUMMARY)
  expect(redacted.index.users.map(({ text }) => text)).toEqual(['first', 'third'])
  const twice = appended(log, [
    { type: 'redact', target: 3 },
    { type: 'redact', target: 5 },
  ])
  expect(summaryOf(twice).index.users.map(({ text }) => text)).toEqual(['first'])
})

it('messages that a compaction keeps stay after its summary', () => {
  const kept = appended(logOf(turns(4)), [compaction({ upTo: 6, keep: [2, 5] })])
  const seqs = (entries: readonly Entry[]) =>
    viewOf(entries)
      .items.slice()
      .map((item) => item.seq)
  expect(seqs(kept)).toEqual([9, 2, 5, 7, 8])
  expect(seqs(appended(kept, [compaction({ upTo: 7, keep: [5] })]))).toEqual([10, 5, 8])
})
