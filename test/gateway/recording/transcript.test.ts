import { expect, test } from 'vitest'
import { readTranscript } from '../../../src/gateway/recording/transcript-session.ts'

test('a transcript is read as the beginnings of its messages, without the text around them', () => {
  const transcript = `Here is the conversation so far, of [User]: and others.

<conversation>
[User]: Look at the log

[Assistant tool call]: task({"prompt":"[User]: Measure it"})
[Tool result]: [warn]: slow
${'a line\n'.repeat(99)}
[Assistant]: It is slow.
</conversation>

Create a summary.`
  const { prompts, quotes } = readTranscript(transcript)
  expect(prompts).toEqual(['Look at the log'])
  expect([...quotes].map((text) => text.slice(0, 12))).toEqual([
    'Look at the ',
    'task({"promp',
    '[warn]: slow',
    'It is slow.',
    'Create a sum',
  ])
})
