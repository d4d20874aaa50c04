import { expect, it } from 'vitest'
import { redactOnce } from '../../src/secrets/redact-secrets.ts'
import { Redaction } from '../../src/secrets/redacted-log.ts'

const TEXT = `the key is AKIA${'QWERTYUIOP234567'}`

it('a secret that comes back is left out and counted each time, also by one who searched its text before', () => {
  const searched = redactOnce()
  searched(TEXT)
  for (const redaction of [new Redaction(), new Redaction(searched)]) {
    expect([TEXT, 'nothing', TEXT].map(redaction.text)).toEqual([
      'the key is [secret left out: AWS access key]',
      'nothing',
      'the key is [secret left out: AWS access key]',
    ])
    expect([...redaction.found]).toEqual([['AWS access key', 2]])
  }
})

it('secrets are left out of raw output, too, also with a colour inside', () => {
  const message = { role: 'user', content: 'shown' } as const
  const entry = { id: 'a', seq: 1, at: 0, type: 'message', message } as const
  const raw = (text: string) => {
    const clean = new Redaction().entry({ ...entry, raw: text })
    return clean.type === 'message' ? clean.raw : undefined
  }
  expect(raw(`\r${TEXT}\r`)).toBe('\rthe key is [secret left out: AWS access key]\r')
  expect(raw(TEXT.replace('QWERTY', 'QWE\u001b[31mRTY'))).toBe('the key is [secret left out: AWS access key]')
  expect(raw('\u001b[31mnothing\r')).toBe('\u001b[31mnothing\r')
})

it('secrets are left out of the words of the user, too, and counted once', () => {
  const message = { role: 'user', content: TEXT } as const
  const redaction = new Redaction()
  const clean = redaction.entry({ id: 'a', seq: 1, at: 0, type: 'message', message, userWords: [{ text: TEXT }] })
  expect(clean).toMatchObject({
    message: { content: 'the key is [secret left out: AWS access key]' },
    userWords: [{ text: 'the key is [secret left out: AWS access key]' }],
  })
  expect([...redaction.found]).toEqual([['AWS access key', 1]])
})
