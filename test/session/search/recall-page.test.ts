import { describe, expect, it } from 'vitest'
import { logOf } from '../../../src/engine/context/view/log.ts'
import type { Entry } from '../../../src/model/types.ts'
import { recallPage } from '../../../src/session/search/search-session.ts'
import { compaction } from '../../support/compaction.ts'
import { assistant, user } from '../../support/messages.ts'

const every = { id: 'a', seq: 7, at: 0 }

/** Entries whose texts are nothing but these. */
function texts(...all: readonly string[]): Entry[] {
  return all.map((summary, i) => ({ ...every, seq: i + 1, type: 'edit', of: 1, summary }))
}

describe('a page of recalled entries', () => {
  it('has each word for word under its handle and kind', () => {
    const others: Entry[] = [
      { ...every, ...compaction({ summary: 'So far.' }) },
      { ...every, type: 'edit', of: 3, summary: 'In my words.' },
      { ...every, type: 'todo', items: [{ text: 'Lint', status: 'done' }] },
      { ...every, type: 'undo', of: 3 },
    ]
    expect(recallPage([...logOf([user('One.'), assistant('Two.')]), ...others], 0, 1_000)).toBe(
      [
        '#1 (user)\n[User]: One.',
        '#2 (assistant)\n[Assistant]: Two.',
        '#7 (compaction)\nSo far.',
        '#7 (edit)\nIn my words.',
        '#7 (todo)\n- Lint (done)',
        '#7 (undo)\n{"of":3}',
      ].join('\n\n'),
    )
  })

  it('names the entries that did not fit, and how to get the rest of an entry that is too long for it', () => {
    const entries = texts('x'.repeat(30), 'y'.repeat(30), 'z')
    expect(recallPage(entries, 0, 45)).toBe(
      `#1 (edit)\n${'x'.repeat(30)}\n\n(Not shown: #2, #3. Recall them by themselves.)`,
    )
    expect(recallPage(entries, 0, 22)).toBe(
      `#1 (edit)\n${'x'.repeat(10)}\n\n(20 characters of #1 follow: recall it alone with offset 10)\n\n(Not shown: #2, #3. Recall them by themselves.)`,
    )
    expect(recallPage(entries.slice(0, 1), 10, 100)).toBe(`#1 (edit)\n${'x'.repeat(20)}`)
  })

  it('fills its room to the last character', () => {
    const entries = texts('x'.repeat(10), 'y'.repeat(10))
    expect(recallPage(entries, 0, 44)).toMatch(/y{10}$/)
    expect(recallPage(entries, 0, 43)).toMatch(/\(Not shown: #2\. Recall them by themselves\.\)$/)
  })

  it('names the first twenty entries that did not fit', () => {
    const entries = texts(...Array.from({ length: 22 }, () => 'x'.repeat(20)))
    expect(recallPage(entries, 0, 40)).toMatch(/#20, #21, …\. Recall them by themselves\.\)$/)
    expect(recallPage(entries.slice(0, 21), 0, 40)).toMatch(/#20, #21\. Recall them by themselves\.\)$/)
  })

  it('cuts no character in two', () => {
    const entries = texts('ab😀cd')
    const first = recallPage(entries, 0, 15)
    expect(first).toContain('\nab\n')
    expect(first).toContain('with offset 2)')
    expect(recallPage(entries, 3, 100)).toBe('#1 (edit)\n😀cd')
  })
})
