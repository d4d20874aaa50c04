import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../../src/model/types.ts'
import { forkTitle, isGreeting, shortTitle, titleFrom } from '../../src/session/session-title.ts'
import { sameTextAs } from '../../src/store/search/same-text.ts'
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

  it('of 60 characters is whole, and a word is only cut if a cut before it would leave less than half', () => {
    expect(titleFrom('x'.repeat(60))).toBe('x'.repeat(60))
    expect(titleFrom('x'.repeat(61))).toBe(`${'x'.repeat(59)}…`)
    expect(titleFrom(`${'é'.repeat(60)}`)).toBe('é'.repeat(60))
    expect(titleFrom(`${'a'.repeat(31)} ${'b'.repeat(40)}`)).toBe(`${'a'.repeat(31)}…`)
    expect(titleFrom(`${'a'.repeat(30)} ${'b'.repeat(40)}`)).toBe(`${'a'.repeat(30)} ${'b'.repeat(28)}…`)
    expect(titleFrom(`${'a'.repeat(58)} ${'b'.repeat(40)}`)).toBe(`${'a'.repeat(58)}…`)
  })

  it('is looked for in the first 10,000 characters', () => {
    expect(shortTitle(`${'\n'.repeat(9_999)}x`)).toBe('x')
    expect(shortTitle(`${'\n'.repeat(10_000)}x`)).toBe('')
  })

  it('may be of any script or an emoji, but not of signs alone', () => {
    expect(titleFrom('---\n修复上传')).toBe('修复上传')
    expect(titleFrom('...\n🎉')).toBe('🎉')
    expect(titleFrom('...\n42')).toBe('42')
    expect(titleFrom('… !?')).toBe('session')
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

it('a greeting is known by all of its words', () => {
  for (const text of ['Great!!', 'hi', 'Hello there :)', 'Good morning', 'ok, thank you!'])
    expect(isGreeting(text)).toBe(true)
  for (const text of ['hello world fails', 'great, now mend the upload', 'deploy', '修复上传', '…', '']) {
    expect(isGreeting(text)).toBe(false)
  }
})

it('a fork of a fork is called a fork once', () => {
  expect(forkTitle('My test')).toBe('My test (fork)')
  expect(forkTitle('My test (fork)')).toBe('My test (fork)')
  expect(forkTitle()).toBe('session (fork)')
})
