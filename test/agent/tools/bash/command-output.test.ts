import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { type CommandOutput, OutputReader } from '../../../../src/agent/tools/bash/command-output.ts'

function read(...chunks: readonly (string | Buffer)[]): CommandOutput {
  const reader = new OutputReader()
  for (const chunk of chunks) reader.add(Buffer.from(chunk))
  return reader.end()
}

test('plain output and colours need no raw form', () => {
  expect(read('one\r\n', 'two ü\n')).toEqual({ text: 'one\ntwo ü\n' })
  expect(read('\u001b[31mred\u001b[0m\n')).toEqual({ text: 'red\n' })
})

test('updates of a line are one line, and the raw output has all of them', () => {
  const updates = Array.from({ length: 400 }, (_, i) => `\r${i + 1} of 400`)
  expect(read(...updates, '\n')).toEqual({ text: '400 of 400\n', raw: `${updates.join('')}\n` })
})

test('repeated lines are folded if that is shorter', () => {
  expect(read('y\n'.repeat(100_000)).text).toBe('y\n[… the line above 99,999 more times]\n')
  expect(read('start\n', 'the same warning\n'.repeat(38), 'end\n').text).toBe(
    'start\nthe same warning\n[… the line above 37 more times]\nend\n',
  )
  expect(read('}\n}\n}\n}\n').text).toBe('}\n}\n}\n}\n')
})

test('binary output is named by its size and hash', () => {
  const chunks = Array.from({ length: 20 }, () => randomBytes(50_000))
  const sha256 = createHash('sha256').update(Buffer.concat(chunks)).digest('hex')
  expect(read(...chunks)).toEqual({
    text: `[binary output, not shown: 1.0 MB (1,000,000 bytes) in all, sha256 ${sha256}]`,
  })
})

test('the text before and after binary output is shown', () => {
  const { text, raw } = read('built\n', randomBytes(100_000), '\nstatus 0\n')
  expect(text).toMatch(/^built\n\[binary output, not shown: 100 kB .* sha256 [0-9a-f]{64}\]\nstatus 0$/)
  expect(raw).toBeUndefined()
})

test('text with a few wrong bytes, or in small pieces, is still text', () => {
  const latin = Buffer.from('Grüße aus Köln, und noch ein längerer Satz dazu.\n', 'latin1')
  expect(read(latin).text).toContain('aus K\ufffdln')
  expect(read(...[...Buffer.from('äöü 漢字 😀')].map((byte) => Buffer.of(byte))).text).toBe('äöü 漢字 😀')
})

test('of a flood, the beginning and the end are kept', () => {
  const lines = Array.from({ length: 300_000 }, (_, i) => `line ${i}\n`).join('')
  const { text, raw } = read(lines)
  expect(text.length).toBeLessThan(1_001_000)
  expect(text.startsWith('line 0\nline 1\n')).toBe(true)
  expect(text).toContain('MB of output left out here …]')
  expect(text.endsWith('line 299998\nline 299999\n')).toBe(true)
  expect(raw).toBeUndefined()
})
