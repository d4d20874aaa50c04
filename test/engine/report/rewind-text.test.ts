import { expect, it } from 'vitest'
import { forgottenText, rewoundForModel, rewoundText, someOf } from '../../../src/engine/report/change-text.ts'

const done = [
  { path: 'a.ts', change: 'restore' },
  { path: 'b.ts', change: 'delete' },
] as const

it('a rewind says how many files were set back, how many new ones are deleted, and which are left', () => {
  expect(rewoundText({ done: [], left: [] })).toBe('No file was changed.')
  expect(rewoundText({ done: done.slice(0, 1), left: [] })).toBe('1 file set back. /undo takes this back.')
  const left = [{ path: 'c.ts', why: 'too large' }]
  expect(rewoundText({ done, left })).toBe(
    '1 file set back, 1 new file deleted. /undo takes this back. Left as they are: c.ts (too large)',
  )
  const both = done.map(({ path }) => ({ path, change: 'delete' as const }))
  expect(rewoundText({ done: both, left: [] })).toBe('2 new files deleted. /undo takes this back.')
})

it('a rewind shows the model what was restored and what is gone', () => {
  expect(rewoundForModel({ done, left: [] }, 7)).toBe(
    '[The user set files back to how they were before #7. Restored: a.ts. Deleted, as they did not exist then: b.ts. Read them again before you rely on them.]',
  )
  expect(rewoundForModel({ done: [], left: [] }, 7)).not.toMatch(/Restored|Deleted/)
})

it('of many names five are said', () => {
  expect(someOf(['1', '2', '3', '4', '5'])).toBe('1, 2, 3, 4, 5')
  expect(someOf(['1', '2', '3', '4', '5', '6'])).toBe('1, 2, 3, 4, 5 and 1 more')
})

it('a redaction says what it deleted of the kept files', () => {
  expect(forgottenText({ contents: 0, inTasks: 0 })).toBe('')
  expect(forgottenText({ contents: 1, inTasks: 0 })).toContain('is deleted: /rewind cannot bring it back.')
  expect(forgottenText({ contents: 2, inTasks: 0 })).toContain('are deleted: /rewind cannot bring them back.')
})
