import { describe, expect, it } from 'vitest'
import { REDACTED_SUMMARY } from '../../../../src/engine/context/view/summary-item.ts'
import { viewOf } from '../../../../src/engine/context/view/view-of.ts'
import type { Entry, EntryDraft } from '../../../../src/model/types.ts'
import { assistant, user } from '../../../support/messages.ts'

const SUMMARY = 'They spoke of tea.'
const compaction: EntryDraft = {
  type: 'compaction',
  from: 2,
  upTo: 4,
  keep: [],
  summary: SUMMARY,
  frame: 'pith',
  indexDelta: {},
  messages: 3,
  reason: 'manual',
  rung: 'cold',
  tokensBefore: 100,
  tokensAfter: 50,
}

/** The words of the summary of 2 to 4 after a redaction. */
function summaryAfterRedactionOf(target: number): string | undefined {
  const said = [1, 2, 3, 4, 5, 6].map(
    (n): EntryDraft => ({ type: 'message', message: n % 2 === 1 ? user(`word-${n}`) : assistant(`word-${n}`) }),
  )
  const drafts: EntryDraft[] = [...said, compaction, { type: 'redact', target }]
  const log = drafts.map((draft, i): Entry => ({ ...draft, id: `e${i + 1}`, seq: i + 1, at: 1 }))
  const [item] = viewOf(log)
    .items.slice()
    .filter(({ kind }) => kind === 'summary')
  return item?.kind === 'summary' ? item.text : undefined
}

describe('a redaction after a summary', () => {
  it('takes its words, from the first to the last entry of its range, and those of no other', () => {
    expect([1, 2, 3, 4, 5].map(summaryAfterRedactionOf)).toEqual([
      SUMMARY,
      REDACTED_SUMMARY,
      REDACTED_SUMMARY,
      REDACTED_SUMMARY,
      SUMMARY,
    ])
  })
})
