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
