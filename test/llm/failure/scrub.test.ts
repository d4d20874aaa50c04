import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scrub } from '../../../src/llm/failure/failure.ts'

describe('a text of a provider', () => {
  it('loses every given secret, also in a URL and inside JSON', () => {
    const secret = 'a"b+c/d=e'
    const text = `key ${secret}, ?key=${encodeURIComponent(secret)}, ${JSON.stringify({ secret })}`
    expect(scrub(text, [secret])).toBe('key ***, ?key=***, {"secret":"***"}')
  })

  it('loses a secret that holds another one whole', () => {
    expect(scrub('Bearer-abcdef-long', ['abcdef', 'Bearer-abcdef-long'])).toBe('***')
  })

  it.each([
    'sk-ant-api03-abcdefghijkl',
    'sk-proj-********************abcd',
    'gsk_abcdefghijklmnop',
    'xai-abcdefghijklmnop',
    'AIzaSyA1234567890abcdef',
    'Bearer eyJhbGciOi.JIUzI1NiJ9',
  ])('loses what looks like a key of somebody else: %s', (key) => {
    expect(scrub(`Incorrect API key provided: ${key}. See the docs`, [])).toMatch(
      /^Incorrect API key provided: \*\*\*\.? See the docs$/,
    )
  })

  it('keeps words that only look a little like one', () => {
    const text = 'task-based models, risk-averse users, sk- is a prefix, disk-full'
    expect(scrub(text, [])).toBe(text)
  })

  it('is one line that is not long', () => {
    const line = scrub(`a\n\n  b\r\n${'x'.repeat(9_000)}`, [])
    expect(line).toMatch(/^a b x+…$/)
    expect(line.length).toBeLessThan(500)
  })

  it('never holds a secret, whatever it is and wherever it appears', () => {
    const secrets = fc
      .string({ minLength: 6, maxLength: 40, unit: 'grapheme-ascii' })
      .filter((text) => text.trim() === text && !text.includes('***'))
    fc.assert(
      fc.property(secrets, fc.string({ maxLength: 30 }), (secret, around) => {
        expect(scrub(`${around}${secret}${around}`, [secret])).not.toContain(secret)
      }),
    )
  })
})
