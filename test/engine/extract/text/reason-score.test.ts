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
  'I’m keeping the old streaming reader, because `scanNames` is used by another indexer.',
  'The OAuth fields in `auth/token.go` must stay in snake_case (they match the spec).',
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
  'I’m adding direct tests for `planRelay` instead of only relying on the slow paths.',
  'While they work, I’m doing my own pass, so that I can join `a.md` and `b.md` instead of relaying them.',
  'I fixed the JSON path of `doctor`, because it mixed text into its output.',
  'The simplest fix is to let `commitFiles` write the same content instead of a new one.',
  'The branch is on `main` and still one commit ahead of `origin/main`.',
  'The CLI tests now pass `--workers` instead of a count in the file.',
  'ON` masking needs a body, because the grammar rejects an empty one.',
])('progress, plans and announcements are not: %s', (sentence) => {
  expect(reasonScore(sentence)).toBeLessThan(LEAST_REASON)
})

it.each([
  'The root cause is likely that `openStore` runs before the lock is taken.',
  'It seems that `renewLease` uses the wrong zone because of the server.',
  'I suspect that `renewLease` is never called, because the timer is missing.',
  'The lease appears to be renewed twice because of `onTick`.',
  'Das Problem ist wahrscheinlich `renewLease`, weil die Zone fehlt.',
  '根本原因可能是 `renewLease` 没有被调用，因为计时器在启动之前就已经停止了，所以租约过期之后服务器没有再次续订它的租约时间。',
])('nor are guesses: %s', (sentence) => {
  expect(reasonScore(sentence)).toBeLessThan(LEAST_REASON)
})
