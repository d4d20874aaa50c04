import { expect, test } from 'vitest'
import { readTold } from '../../../src/gateway/recording/last-told.ts'

test('a told conversation is read as what each of its messages begins with, without the frame around it', () => {
  const told = `Here is the conversation so far, of [User]: and others.

<conversation>
[User]: Look at the log

[Assistant tool call]: task({"prompt":"[User]: Measure it"})
[Tool result]: [warn]: slow
${'a line\n'.repeat(99)}
[Assistant]: It is slow.
</conversation>

Create a summary.`
  const { asked, said } = readTold(told)
  expect(asked).toEqual(['Look at the log'])
  expect([...said].map((words) => words.slice(0, 12))).toEqual([
    'Look at the ',
    'task({"promp',
    '[warn]: slow',
    'It is slow.',
    'Create a sum',
  ])
})
