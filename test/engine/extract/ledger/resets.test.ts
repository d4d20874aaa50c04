import { expect, it } from 'vitest'
import { logOf } from '../../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../../src/engine/context/view/view-of.ts'
import { indexDelta } from '../../../../src/engine/extract/index-delta.ts'
import { mergeIndexes } from '../../../../src/model/facts/log-index.ts'
import type { Message } from '../../../../src/model/types.ts'
import { call, result, user } from '../../../support/messages.ts'
import { recordText } from '../../../support/record.ts'

let id = 0
const run = (command: string, output: string): Message[] => {
  const name = `c${++id}`
  return [call(name, 'run_shell_command', { command }), result(name, output, 'run_shell_command')]
}
const edit = (path: string): Message[] => {
  const name = `c${++id}`
  return [call(name, 'replace', { file_path: path, old_string: 'a', new_string: 'b' }), result(name, 'ok', 'replace')]
}
const recordOf = (...messages: Message[]) =>
  recordText({ index: mergeIndexes([indexDelta(viewOf(logOf([user('go'), ...messages])).items.slice())]) })

it('`git checkout .` takes back what was edited before it', () => {
  expect(recordOf(...edit('src/a.ts'), ...run('git checkout .', 'Output: Updated 1 path from the index'))).toMatch(
    /- src\/a\.ts: reverted/,
  )
})

it('a commit between two resets does not bring back the edit that the first one took', () => {
  const commit = run('git commit -am "b"', 'Output: [main 1a2b3c4] b\n 1 file changed')
  const messages = [...edit('src/a.ts'), ...run('git reset --hard', 'Output: HEAD is now at 0000000 x')]
  const record = recordOf(...messages, ...edit('src/b.ts'), ...commit, ...run('git reset --hard', 'Output: HEAD'))
  expect(record).toMatch(/- src\/a\.ts: reverted/)
  expect(record).toMatch(/- src\/b\.ts: edited, committed 1a2b3c4/)
})

it('a command of Gemini CLI that reports no failure has ended well', () => {
  expect(recordOf(...run('npm run seed', 'Output: 3 rows\nProcess Group PGID: 7'))).toMatch(/- `npm run seed` ok /)
  expect(recordOf(...run('npm run seed', 'Output: no\nExit Code: 1'))).toMatch(/- `npm run seed` failed /)
})
