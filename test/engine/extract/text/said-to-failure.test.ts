import { expect, it } from 'vitest'
import { saidToFailure } from '../../../../src/engine/extract/index-delta.ts'

it.each([
  [
    'It imports from the built package. We need to build `core` first:',
    'It imports from the built package. We need to build `core` first.',
  ],
  ['Port 8080 is still taken by the old server. Let me find it.', 'Port 8080 is still taken by the old server.'],
  ['THOUGHT: The flag is called `--into` here.', 'The flag is called `--into` here.'],
])('the words after a failure that state its cause or remedy: %s', (text, quoted) => {
  expect(saidToFailure(text)).toBe(quoted)
})

it.each(['Let me check the log.', "I'll try again with more time.", 'Hmm.', ''])(
  'nothing if it states no cause: %s',
  (text) => {
    expect(saidToFailure(text)).toBe('')
  },
)
