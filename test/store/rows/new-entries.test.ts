import { expect, it } from 'vitest'
import type { EntryDraft } from '../../../src/model/types.ts'
import { newEntries, opensTurn, sessionAfter } from '../../../src/store/rows/new-entries.ts'
import { assistant, user } from '../../support/messages.ts'
import { countingDeps } from '../../support/store.ts'

const said: EntryDraft = { type: 'message', message: user('hello') }

it('drafts get ids, the places after the end of the log and one time, or the times that they were said at', () => {
  expect(newEntries([said, said], 7, {}, countingDeps())).toEqual([
    { ...said, id: 'id-000001', seq: 8, at: 1_000 },
    { ...said, id: 'id-000002', seq: 9, at: 1_000 },
  ])
  expect(newEntries([said, said], 0, { times: [5] }, countingDeps()).map(({ at }) => at)).toEqual([5, 1_000])
})

it('a session ends with its last entry, has the revision of the last change and the last title', () => {
  const after = (drafts: readonly EntryDraft[]) =>
    sessionAfter(newEntries(drafts, 7, {}, countingDeps()), { revision: 3 })
  expect(after([])).toBeUndefined()
  expect(after([said])).toEqual({ lastSeq: 8, revision: 3, updatedAt: 1_000, title: undefined })
  expect(after([{ type: 'undo', of: 2 }, said])).toMatchObject({ lastSeq: 9, revision: 8 })
  const titled = (['one', 'two'] as const).map((title) => ({ type: 'settings' as const, title }))
  expect(after([...titled, { type: 'settings', model: 'a/b' }])).toMatchObject({ title: 'two' })
})

it('only a message of the user opens a turn', () => {
  const [first, second, third] = newEntries(
    [said, { type: 'message', message: assistant('hi') }, { type: 'undo', of: 1 }],
    0,
    {},
    countingDeps(),
  ).map(opensTurn)
  expect([first, second, third]).toEqual([true, false, false])
})
