import { describe, expect, it } from 'vitest'
import { appended, logOf } from '../../../../src/engine/context/view/log.ts'
import { REDACTED } from '../../../../src/engine/context/view/rewrite-message.ts'
import { REDACTED_SUMMARY } from '../../../../src/engine/context/view/summary-item.ts'
import { viewOf } from '../../../../src/engine/context/view/view-of.ts'
import { framePart } from '../../../../src/engine/record/compose.ts'
import { type Entry, type EntryDraft, type RecordPart, textOf } from '../../../../src/model/types.ts'
import { compaction } from '../../../support/compaction.ts'
import { turns } from '../../../support/messages.ts'

const said = (seq: number, text: string): RecordPart => ({ section: 'Now', from: [seq], text: `- #${seq} ${text}` })
const agent = (seq: number, text: string): RecordPart => ({
  section: 'Current state',
  from: [seq],
  text: `- #${seq} ${text}`,
  narrative: true,
})
const around = (...parts: readonly RecordPart[]) => [framePart('<record>'), ...parts, framePart('</record>')]
const digest = (more: Parameters<typeof compaction>[0]): EntryDraft =>
  compaction({ from: 1, upTo: 4, rung: 'digest', ...more })

/** The front summary of six messages and these changes, the first of which is entry 7. */
function summaryOf(...changes: readonly EntryDraft[]) {
  const log: readonly Entry[] = appended(logOf(turns(3)), changes)
  const item = viewOf(log).items.at(0)
  if (item?.kind !== 'summary') return expect.fail('no summary')
  return { text: item.text, message: textOf(item.message), index: item.index, written: item.written }
}

const lines = digest({
  parts: around(said(1, 'one'), said(3, 'three'), agent(2, 'two'), agent(4, 'four')),
  summary: '## Current state\n- #2 two\n- #4 four',
})

describe('a redaction after a digest', () => {
  it('takes the lines that come from the entry, and no others', () => {
    expect(summaryOf(lines, { type: 'redact', target: 2 })).toMatchObject({
      message: '<record>\n## Now\n- #1 one\n- #3 three\n\n## Current state\n- #4 four\n</record>',
      text: '## Current state\n- #4 four',
      written: false,
    })
    expect(summaryOf(lines, { type: 'redact', target: 2 }, { type: 'redact', target: 4 })).toMatchObject({
      message: '<record>\n## Now\n- #1 one\n- #3 three\n</record>',
      text: '',
    })
    expect(summaryOf(lines, { type: 'redact', target: 6 }).message).toBe(summaryOf(lines).message)
  })

  it('takes the words that the user has written in their place, and the lines of others stay', () => {
    const edited = summaryOf(lines, { type: 'edit', of: 7, summary: 'Mine' }, { type: 'redact', target: 3 })
    expect(edited.text).toBe(REDACTED_SUMMARY)
    expect(edited.message).toContain('- #1 one')
    expect(edited.message).toContain(REDACTED_SUMMARY)
    expect(edited.message).not.toMatch(/three|Mine/)
  })

  it('of the digest itself leaves nothing of it', () => {
    const redacted = summaryOf({ ...lines, indexDelta: { users: [{ seq: 1, text: 'one' }] } } as EntryDraft, {
      type: 'redact',
      target: 7,
    })
    expect(redacted.message).toContain(REDACTED)
    expect(JSON.stringify(redacted)).not.toMatch(/- #\d|"one"/)
  })
})

describe('the words of a model', () => {
  const words: RecordPart = { section: 'Goal', from: [], text: 'They spoke', narrative: true }
  const model = compaction({ from: 1, upTo: 4, summary: '## Goal\nThey spoke', parts: around(said(1, 'one'), words) })
  const quoting = (seq: number) =>
    digest({
      upTo: 5,
      parts: around(said(1, 'one'), said(5, 'five'), { ...words, section: 'Earlier summary', from: [seq] }),
      summary: '## Earlier summary\nThey spoke',
      indexDelta: { narratives: [{ seq, text: 'They spoke' }] },
    })

  it('go where a later digest quotes them, too, when an entry that they covered is redacted', () => {
    expect(summaryOf(model, quoting(7)).index.narratives).toHaveLength(1)
    const redacted = summaryOf(model, quoting(7), { type: 'redact', target: 2 })
    expect(redacted.message).toBe('<record>\n## Now\n- #1 one\n- #5 five\n</record>')
    expect(redacted.index.narratives).toEqual([])
  })

  it('stay there when the entry is one that they did not cover, or was redacted before them', () => {
    expect(summaryOf(model, quoting(7), { type: 'redact', target: 5 }).message).toContain('They spoke')
    expect(summaryOf({ type: 'redact', target: 2 }, model, quoting(8)).message).toContain('They spoke')
  })
})
