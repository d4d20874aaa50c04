import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import { describe, expect, it } from 'vitest'
import { findSecrets } from '../../src/secrets/find-secrets.ts'
import { MARKED_RULES, OWN_RULES } from '../../src/secrets/own-rules.ts'
import { PUBLISHED_BEGINS } from '../../src/secrets/published-rules.ts'
import { redactSecrets } from '../../src/secrets/redact-secrets.ts'
import { full } from '../support/full.ts'
import { SECRET_FORMATS } from './secret-formats.ts'

const ROUNDS = full ? 50 : 3
const PLACES: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => `Use this one: ${secret} and go on.`,
  (secret) => `${'lorem ipsum dolor\n'.repeat(200)}export KEY="${secret}"\n${'sit amet\n'.repeat(200)}`,
  (secret) => JSON.stringify({ cmd: `deploy --with ${secret} --now` }),
]

describe('the secrets of a text', () => {
  it('are found in at least nine of ten, in every place of a text, for every format', () => {
    const missed: string[] = []
    let tried = 0
    for (const [rule, make] of SECRET_FORMATS)
      for (let round = 0; round < ROUNDS; round++)
        for (const [i, place] of PLACES.entries()) {
          tried++
          const secret = make()
          if (findSecrets(place(secret)).length === 0) missed.push(`${rule} in place ${i}: ${secret.slice(0, 30)}`)
        }
    expect(missed.length / tried, missed.join('\n')).toBeLessThan(0.1)
  })

  it('are those of every published rule that is about a text', () => {
    const published = rules.map(({ meta }) => meta.id.replace(/^.*secretlint-rule-/, ''))
    const tried = new Set(SECRET_FORMATS.map(([rule]) => rule))
    expect(published.filter((name) => !tried.has(name)).toSorted()).toEqual(['filter-comments', 'gcp'])
  })

  it('are of every beginning that the rules look for', () => {
    const begins = [
      ...Object.values(PUBLISHED_BEGINS),
      ...[...OWN_RULES, ...MARKED_RULES].map((rule) => rule.begins),
    ].flat()
    const made = SECRET_FORMATS.map(([, make]) => make())
    expect(begins.filter((begin) => !made.some((secret) => secret.includes(begin)))).toEqual([])
  })

  it('leave no part of themselves', () => {
    for (const [, make] of SECRET_FORMATS) {
      const secret = make()
      const { text, kinds } = redactSecrets(`before ${secret} after`)
      const chunks = secret.split(/[^A-Za-z0-9]+/).filter((chunk) => /\d/.test(chunk))
      const longest = chunks.toSorted((a, b) => b.length - a.length)[0] ?? secret
      expect(kinds.length, secret).toBeGreaterThan(0)
      expect(kinds).not.toContain('')
      expect(text.includes(longest), `${secret}\n${text}`).toBe(false)
      expect(text.startsWith('before ')).toBe(true)
    }
  })

  it('are not seen in code and prose that only speak of them', () => {
    const texts = [
      'const token = process.env.GITHUB_TOKEN ?? readToken(file)',
      'The password: it must have 12 characters. Use sk-ant-… or ghp_ tokens.',
      'API_KEY=your-api-key-here\nPASSWORD=changeme123\nSECRET=$VAULT_SECRET\nTOKEN=$(cat token)',
      '"password": "hunter2example1A!"',
      'commit 3f5669d54579033ec6a1b1c9913510e7e42963cb, id 7f9a3c52-0c11-4d4e-9b52-0f6f4d1f1a11',
      'toolu_01A09q90qw90lq917835lq9 call_8f2kqk2GJxn3nNnXcJ3uK1xk msg_01XFDUDYJgAACzvnptvVoYEL',
      'postgres://user:password@localhost:5432/app and https://example.com:8080/a@b',
      'sha512-hfdYra+ZB6RmviEApxeL/YCx4ovBtpj0d9c+uhlCZaCikObjb8Sb8yqBN6g8/9tt7qD7LXGE3k9RtVvGK1fNVw==',
      'tokens: 12,345 secretKeyRef: {name: db, key: password} tokenizer: "o200k_base"',
      '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
    ]
    expect(texts.flatMap((text) => findSecrets(text).map(({ from, to }) => text.slice(from, to)))).toEqual([])
  })

  it('are looked for in a time that grows with the text, whatever it is made of', () => {
    // A search that went over the text again for each piece would take minutes.
    const pieces = ['sk-', 'password=', '-----BEGIN ', 'eyJ', '://a:b', 'a', 'api_key: "', 'ghp_a.', 'eyJa.eyJ', 'x:y@']
    pieces.push(
      'password ',
      'login a password ',
      '$2a$',
      '$6$a$',
      ':5432:',
      'sig=',
      `LS0tLS1CRUdJTi${'A'.repeat(9_000)}_`,
    )
    for (const piece of pieces) expect(findSecrets(piece.repeat(150_000 / piece.length)).length).toBeLessThan(2)
  })
})
