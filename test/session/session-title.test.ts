import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../../src/model/entry.ts'
import { shortTitle, titleFrom } from '../../src/session/session-title.ts'
import { sameTextAs } from '../../src/store/same-text.ts'
import { user } from '../support/messages.ts'

describe('the title of a session', () => {
  it('is the first line of its first message that says something', () => {
    expect(titleFrom('  mend   the\tupload\nplease')).toBe('mend the upload')
    expect(titleFrom('```\n---\nconst a = 1\n```')).toBe('const a = 1')
    expect(titleFrom('\x1b[31mred\x1b[0m \u202ealert\x07')).toBe('red alert')
    expect(titleFrom(' \n ')).toBe('session')
  })

  it('is cut after a word, and a long word anywhere', () => {
    expect(titleFrom('mend the upload of large files, which fails since the last release of the shop')).toBe(
      'mend the upload of large files, which fails since the last…',
    )
    const words = `${'word '.repeat(11)}last`
    expect(words).toHaveLength(59)
    expect(titleFrom(`${words} and more`)).toBe(`${words}…`)
    expect(titleFrom('x'.repeat(70))).toBe(`${'x'.repeat(59)}…`)
  })

  it('never cuts a character in two', () => {
    const family = '👩‍👩‍👧'
    expect(shortTitle(family.repeat(80))).toBe(`${family.repeat(59)}…`)
    expect(shortTitle('é'.repeat(80))).toBe(`${'é'.repeat(59)}…`)
  })

  it('is one line of at most 60 signs, and a redaction of the message knows it again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const title = titleFrom(text)
        const message: Entry = { type: 'message', id: 'a', seq: 1, at: 0, message: user(text) }
        const isShort = !title.includes('\n') && [...new Intl.Segmenter().segment(title)].length <= 60
        return isShort && (title === 'session' || sameTextAs(message).isTitle(title))
      }),
    )
  })
})
