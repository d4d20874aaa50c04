import { expect, it } from 'vitest'
import type { Entry, EntryDraft } from '../../../src/model/types.ts'
import { problemIn } from '../../../src/session/account/session-account.ts'
import { compaction } from '../../store/contract/drafts.ts'
import { user } from '../../support/messages.ts'

const problem = (draft: EntryDraft) => problemIn({ ...draft, id: 'e7', seq: 7, at: 70 } as Entry)

it('a compaction that went wrong is listed with its place, its time and its reason', () => {
  const expected = { seq: 7, at: 70, reason: 'no answer' }
  expect(problem(compaction({ refusal: 'no answer' }))).toEqual({ ...expected, kind: 'fell-back' })
  expect(problem({ type: 'attempt', outcome: 'failed', reason: 'no answer' })).toEqual({ ...expected, kind: 'failed' })
  expect(problem({ type: 'attempt', outcome: 'skipped', reason: 'no answer' })).toEqual({
    ...expected,
    kind: 'not-taken',
  })
})

it('a success, a stop by the user, or an entry that is not a compaction is not a problem', () => {
  expect(problem(compaction())).toBeUndefined()
  expect(problem({ type: 'attempt', outcome: 'cancelled', reason: 'Esc' })).toBeUndefined()
  expect(problem({ type: 'message', message: user('Go.') })).toBeUndefined()
})

it('a reason is quoted up to its first 300 characters', () => {
  const reason = 'x'.repeat(301)
  const short = 'x'.repeat(300)
  expect(problem(compaction({ refusal: reason }))?.reason).toBe(short)
  expect(problem({ type: 'attempt', outcome: 'failed', reason })?.reason).toBe(short)
})
