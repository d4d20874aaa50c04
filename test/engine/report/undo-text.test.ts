import { describe, expect, it } from 'vitest'
import { notUndoableText, redoText, undoText } from '../../../src/engine/report/change-text.ts'

const compaction = {
  type: 'reduction',
  rung: 'cold',
  messagesRemoved: 7,
} as const

describe('what was taken back', () => {
  it.each([
    [compaction, 'Undone: the compaction of 7 messages (#13). /redo takes this back.'],
    [{ ...compaction, rung: 'mask' } as const, 'Undone: the masking of old tool output (#13). /redo takes this back.'],
    [{ type: 'squeeze', targets: [8, 9] } as const, 'Undone: the shortening of #8, #9 (#13). /redo takes this back.'],
    [{ type: 'edit', of: 12 } as const, 'Undone: the new text of the summary #12 (#13). /redo takes this back.'],
    [{ type: 'put-back', target: 12 } as const, 'Undone: putting back #12 (#13). /redo takes this back.'],
    [undefined, 'Undone: the context is as it was before #13. /redo takes this back.'],
  ])('is named', (change, text) => {
    expect(undoText(13, change)).toBe(text)
  })

  it('is named again by a redo', () => {
    expect(redoText(13, compaction)).toBe('Redone: the compaction of 7 messages (#13).')
    expect(redoText(13, { type: 'edit', of: 12 })).toBe('Redone: the new text of the summary #12 (#13).')
    expect(redoText(13, undefined)).toBe('Redone: the last undo is taken back.')
  })
})

it('a compaction says why an undo would not take it back', () => {
  const why = (isUndone: boolean, newest: number | undefined) => notUndoableText(13, { isUndone, newest })
  expect(why(false, 13)).toBeUndefined()
  expect(why(false, 20)).toBe('Undo takes back the newest change first: #20')
  expect(why(true, 8)).toBe('It is undone: the messages that it replaced are in the context again')
  expect(why(false, undefined)).toBe('There is nothing to undo')
})
