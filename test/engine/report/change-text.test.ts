import { expect, it } from 'vitest'
import { type ChangeFacts, changeText, originText } from '../../../src/engine/report/change-text.ts'

it.each<[ChangeFacts, string]>([
  [{ type: 'edit', of: 3 }, 'The summary of #3 was changed.'],
  [{ type: 'undo', of: 3 }, '#3 was taken back.'],
  [{ type: 'redact', target: 4 }, '#4 is redacted: its text is gone for good.'],
  [{ type: 'pin', target: 4, on: true }, '#4 is pinned.'],
  [{ type: 'pin', target: 4, on: false }, '#4 is no longer pinned.'],
  [{ type: 'pin', target: 4, on: true, back: [1] }, '#4 came back word for word, and stays.'],
  [{ type: 'repair', changes: 1 }, 'Repaired the history: 1 change.'],
  [{ type: 'rewind', to: 2, files: ['a.ts', 'b.ts'] }, 'Files set back to before #2: a.ts, b.ts.'],
])('a change is one sentence: %j', (change, text) => {
  expect(changeText(change)).toBe(text)
})

it('an imported session says which agent it comes from, and its version if that is known', () => {
  expect(originText({ agent: 'codex' })).toBe('Imported from codex')
  expect(originText({ agent: 'codex', version: '0.9' })).toBe('Imported from codex 0.9')
})
