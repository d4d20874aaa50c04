import { expect, it } from 'vitest'
import { compact } from '../../../src/engine/compact/compact.ts'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import type { Entry, Message } from '../../../src/model/types.ts'
import { assistant, call, modelSaying, result, user } from '../../support/messages.ts'

const DEMAND = 'Never change the public API of upload.ts.'

const SPAN: readonly Message[] = [
  user(`Make the upload resume after a break. ${DEMAND}`),
  call('e', 'edit', { path: 'src/retry.ts', oldText: 'const a = 1', newText: 'export function retryUpload() {}' }),
  result('e', 'ok', 'edit'),
  call('d', 'bash', { command: 'git rm src/old-retry.ts && git status --short' }),
  result('d', 'D  src/old-retry.ts\n M src/retry.ts\nexit code: 0', 'bash'),
  call('t', 'bash', { command: 'npm test' }),
  result('t', 'Error: the socket was closed\n1 failed\nexit code: 1', 'bash'),
  assistant('The upload resumes, but one test fails.'),
  ...Array.from({ length: 12 }, (_, i) => [
    user(`and part ${i}?`),
    assistant(`Part ${i} is fine. ${'It is. '.repeat(60)}`),
  ]).flat(),
]

it('facts that a model forgot or reported wrongly are in the index: changes, demands, open failures', async () => {
  const forgetful = modelSaying(
    '## Current state\nThe upload work with src/old-retry.ts is committed, the user asked about parts.',
  )
  const done = await compact({
    log: logOf(SPAN),
    reason: 'manual',
    summaryModels: [forgetful],
    policy: { keepTokens: 500 },
  })
  expect(done).toMatchObject({ compacted: true, rung: 'cold' })
  const record = JSON.stringify(done.view.items.slice()[0]?.message.content).replaceAll('\\n', '\n')
  expect(record).toContain('is committed')
  expect(record).toMatch(/^- src\/retry\.ts: edited, uncommitted, `npm test` FAILED: 1 failed.*added retryUpload/m)
  expect(record).toMatch(/^- src\/old-retry\.ts: deleted, uncommitted/m)
  expect(record).toContain(DEMAND)
  expect(record).toMatch(/### Failing\n- #\d+ `npm test`: Error: the socket was closed/)
})

it('a record knows the commit and the test run that came after its cut', async () => {
  const tail: readonly Message[] = [
    user('commit it'),
    call('t2', 'bash', { command: 'npm test' }),
    result('t2', '4 passed\nexit code: 0', 'bash'),
    call('c', 'bash', { command: 'git add src/retry.ts && git commit -m "Resume uploads"' }),
    result('c', '[main 1a2b3c4] Resume uploads\nexit code: 0', 'bash'),
    assistant('Committed.'),
  ]
  const log = logOf([...SPAN, ...tail])
  const done = await compact({ log, reason: 'manual', policy: { keepTokens: 100 } })
  expect(
    done.view.items
      .slice()
      .slice(1)
      .map(({ message }) => JSON.stringify(message))
      .join(),
  ).toContain('1a2b3c4')
  const record = JSON.stringify(done.view.items.slice()[0]?.message.content).replaceAll('\\n', '\n')
  expect(record).toMatch(/^- src\/retry\.ts: edited, committed 1a2b3c4, `npm test` passed/m)
  expect(record).not.toContain('### Failing')
  const read: readonly Entry[] = JSON.parse(JSON.stringify([...log, ...done.entries]))
  expect(viewOf(read).items.slice()[0]?.message).toEqual(done.view.items.slice()[0]?.message)
})

it('a record knows how a command ended that was still running at its cut', async () => {
  const started: readonly Message[] = [
    ...SPAN.slice(0, 3),
    call('r', 'exec_command', { cmd: 'go test ./...' }),
    result('r', 'Process running with session ID 7\nOutput:\n', 'exec_command'),
    ...SPAN.slice(8),
  ]
  const tail: readonly Message[] = [
    call('w', 'write_stdin', { session_id: 7 }),
    result('w', 'Process exited with code 0\nOutput:\nok  \texample.com/retry\t1.2s', 'write_stdin'),
    assistant('They pass.'),
  ]
  const done = await compact({ log: logOf([...started, ...tail]), reason: 'manual', policy: { keepTokens: 100 } })
  const record = JSON.stringify(done.view.items.slice()[0]?.message.content).replaceAll('\\n', '\n')
  expect(record).toContain('- tests `go test ./...` passed')
})
