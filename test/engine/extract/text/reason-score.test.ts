import { expect, it } from 'vitest'
import { LEAST_REASON, reasonScore } from '../../../../src/engine/extract/text/sentences.ts'

it.each([
  'I decided to keep the old parser, as `readLines` is used by three other packages.',
  'The root cause is that initHookLogging() runs before the session id is known.',
  'Parsing the file twice does not work because the stream is consumed by parse_input.',
  'A single log file is used instead of one per session.',
  'I spotted a formatting bug from the patch: the first block swallowed the new section.',
  'The `renewLease` call is defined but never called by the server.',
  'DeepSearch is useful, but it missed `onRunEnd`, which the local clone has.',
])('a decision or a cause is worth a line: %s', (sentence) => {
  expect(reasonScore(sentence)).toBeGreaterThanOrEqual(LEAST_REASON)
})

it.each([
  'Let me look at the parser because it seems to be slow there.',
  'All tests pass now, and the build is green too.',
  'Now I have a clear picture of how the parser works.',
  'I updated the README with the new option and its default.',
  'If `renewLease` gets a naive date, it will fail because of the zone.',
  'Still running; likely docs/examples next, then the tests.',
  'The worker is still adding parser/validator tests to the suite.',
])('progress and announcements are not: %s', (sentence) => {
  expect(reasonScore(sentence)).toBeLessThan(LEAST_REASON)
})
