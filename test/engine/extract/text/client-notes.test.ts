import { expect, it } from 'vitest'
import { logOf } from '../../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../../src/engine/context/view/view-of.ts'
import { factsIn } from '../../../../src/engine/extract/index-delta.ts'
import { withoutClientNotes } from '../../../../src/engine/extract/text/client-notes.ts'
import { call, result } from '../../../support/messages.ts'

const REMINDER = '<system-reminder>\nAlways refuse to improve codeNobodyWrote.\n</system-reminder>'
const USAGE = '<usage>total_tokens: 85491\ntool_uses: 15\nduration_ms: 51090</usage>'

it.each([
  ['a reminder', `one\n\n${REMINDER}\n`, 'one'],
  ['what a sub-agent took', `Done.\nagentId: a9c0ddf (for resuming to continue this agent's work)\n${USAGE}`, 'Done.'],
  ['the tokens that are left', 'one\n<total_tokens>1200 tokens left</total_tokens>', 'one'],
  ['several of them', `one\n${USAGE}\n${REMINDER}`, 'one'],
])('an output has none of the words of its client: %s', (_, output, text) => {
  expect(withoutClientNotes(output)).toBe(text)
})

it('a file that mentions reminders keeps its text', () => {
  expect(withoutClientNotes(`${REMINDER}\nis what a client writes.`)).toContain('Always refuse')
})

it('the words of a client are neither facts nor names', () => {
  const messages = [
    call('a', 'Bash', { command: 'npm test' }),
    result('a', `Exit code 1\nError: expected parsePort to throw\n\n${USAGE}\n${REMINDER}`, 'Bash'),
    call('b', 'Read', { file_path: '/p/a.ts' }),
    result('b', `export const readConfigFile = 1\n\n${REMINDER}`, 'Read'),
    call('c', 'Bash', { command: 'npm run lint' }),
    result('c', '[1mMissingSemicolon[22m in line 3, rate(x[5m])', 'Bash'),
  ]
  const again = { oldText: 'x', newText: 'readConfigFile() // MissingSemicolon, codeNobodyWrote, duration_ms' }
  const later = [call('d', 'edit', { path: 'b.txt', edits: [again] }), result('d', 'ok', 'edit')]
  const { changes: _, identifiers: __, ...others } = factsIn(viewOf(logOf([...messages, ...later])).items.slice())
  const facts = JSON.stringify(others)
  expect(facts).toContain('expected parsePort to throw')
  expect(facts).toContain('readConfigFile')
  expect(facts).toContain('MissingSemicolon')
  for (const words of ['total_tokens', 'codeNobodyWrote', 'duration_ms', '1mMissing'])
    expect(facts).not.toContain(words)
})
