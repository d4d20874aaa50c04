import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findSecrets } from '../../src/secrets/find-secrets.ts'
import { redactSecrets } from '../../src/secrets/redact-secrets.ts'
import { NOT_SECRET, PASTED } from './pasted-texts.ts'

const foundIn = (text: string) => findSecrets(text).map(({ from, to }) => text.slice(from, to))

describe('a secret that its name gives away', () => {
  it.each(PASTED)('is found, and nothing else: %s', (text, ...secrets) => {
    expect(foundIn(text)).toEqual(secrets)
  })

  it.each(PASTED)('is found inside JSON and between other lines: %s', (text, ...secrets) => {
    const around = `${'a line of output\n'.repeat(100)}${text}\n${'another line\n'.repeat(100)}`
    expect(foundIn(around)).toEqual(secrets)
    const escaped = secrets.map((secret) => JSON.stringify(secret).slice(1, -1))
    expect(foundIn(JSON.stringify({ output: around }))).toEqual(escaped)
  })
})

it.each(NOT_SECRET)('a placeholder, code or prose is not a secret: %s', (text) => {
  expect(foundIn(text)).toEqual([])
})

it('a text without its secrets has none, so that removing them twice changes nothing more', () => {
  const pieces = [...PASTED.map(([text]) => text), ...NOT_SECRET, ' ', '\n', '"', "'", ';', '=', ': ', '@', '-p', '://']
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), fc.string(), (parts, noise) => {
      const { text } = redactSecrets(parts.join(noise))
      expect(redactSecrets(text).text).toBe(text)
    }),
  )
})
