import { describe, expect, it } from 'vitest'
import { activeCompactions, inactiveSeqs, undoTargets } from '../../../../src/engine/context/view/activity.ts'
import { appended } from '../../../../src/engine/context/view/log.ts'
import type { EntryDraft } from '../../../../src/model/types.ts'
import { compaction } from '../../../support/compaction.ts'
import { user } from '../../../support/messages.ts'

const said: EntryDraft = { type: 'message', message: user('a') }
const mask: EntryDraft = { type: 'mask', targets: [1], tokensBefore: 1, tokensAfter: 1 }
const edit: EntryDraft = { type: 'edit', of: 1, summary: 's' }
const redact: EntryDraft = { type: 'redact', target: 1 }
const undo = (of: number): EntryDraft => ({ type: 'undo', of })
const targets = (...drafts: EntryDraft[]) => undoTargets(appended([], drafts))
const inactive = (...drafts: EntryDraft[]) => [...inactiveSeqs(appended([], drafts))].toSorted((a, b) => a - b)

describe('the next undo', () => {
  it('is there only after a change', () => {
    expect(targets(said)).toEqual({ undo: undefined, redo: undefined })
    expect(targets(said, mask).undo).toBe(2)
  })

  it('names the newest change that is still active', () => {
    expect(targets(said, mask, edit).undo).toBe(3)
    expect(targets(said, mask, edit, undo(3)).undo).toBe(2)
    expect(targets(said, mask, edit, undo(3), undo(2)).undo).toBeUndefined()
  })

  it('is not spoilt by what was said since', () => {
    expect(targets(said, mask, said, said).undo).toBe(2)
  })

  it('never names a redaction or a message', () => {
    expect(targets(said, redact).undo).toBeUndefined()
    expect(targets(said, mask, redact).undo).toBe(2)
  })
})

describe('the next redo', () => {
  it('names the newest undo', () => {
    expect(targets(said, mask, undo(2)).redo).toBe(3)
    expect(targets(said, mask, edit, undo(3), undo(2)).redo).toBe(5)
  })

  it('goes back step by step, and makes each change undoable again', () => {
    const twice = [said, mask, edit, undo(3), undo(2), undo(5)]
    expect(targets(...twice)).toEqual({ undo: 2, redo: 4 })
    expect(targets(...twice, undo(4))).toEqual({ undo: 3, redo: undefined })
  })

  it('is gone after a new change', () => {
    expect(targets(said, mask, undo(2), edit)).toEqual({ undo: 4, redo: undefined })
  })

  it('survives what was said since', () => {
    expect(targets(said, mask, undo(2), said).redo).toBe(3)
  })
})

describe('inactive entries', () => {
  it('are those that an undo names, until it is undone itself', () => {
    expect(inactive(said, mask)).toEqual([])
    expect(inactive(said, mask, undo(2))).toEqual([2])
    expect(inactive(said, mask, undo(2), undo(3))).toEqual([3])
    expect(inactive(said, mask, undo(2), undo(3), undo(4))).toEqual([2, 4])
  })

  it('are never messages, redactions, later entries or entries that do not exist', () => {
    expect(inactive(said, redact, undo(1), undo(2))).toEqual([])
    expect(inactive(said, undo(3), mask)).toEqual([])
    expect(inactive(said, undo(2), undo(99))).toEqual([])
  })
})

it('a compaction that was undone is not counted, and one that was redone is', () => {
  const standing = (...drafts: EntryDraft[]) => activeCompactions(appended([], [said, ...drafts]))
  expect(standing(compaction(), compaction())).toBe(2)
  expect(standing(compaction(), undo(2))).toBe(0)
  expect(standing(compaction(), undo(2), undo(3))).toBe(1)
})
