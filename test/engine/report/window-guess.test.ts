import { expect, it } from 'vitest'
import { windowGuessText, windowText } from '../../../src/engine/report/status-text.ts'

it('says what led to the guess of a window', () => {
  expect(windowGuessText({ from: 'compaction', tokens: 155_000 }, 'claude')).toBe(
    'the window is a guess: claude compacted by itself at 155,000 tokens',
  )
  expect(windowGuessText({ from: 'usage', tokens: 310_000 }, 'codex')).toBe(
    'the window is a guess: codex sent 310,000 tokens',
  )
  expect(windowGuessText({ from: 'default', tokens: 89_000 }, 'claude')).toBe(
    'the window is a guess: the default of claude, and no request had more than 89,000 tokens',
  )
})

it('marks a window that is assumed', () => {
  expect(windowText({ window: 200_000 })).toBe('200,000 tokens')
  expect(windowText({ window: 200_000, assumed: true })).toBe('200,000 tokens (assumed)')
})
