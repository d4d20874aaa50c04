import { expect, it } from 'vitest'
import { AbortReason } from '../../../../src/agent/interruption.ts'
import { searchNotes } from '../../../../src/agent/tools/search/search.ts'

it('a search that did not see everything says why', () => {
  const notes = (end: Parameters<typeof searchNotes>[0]['end'], ...errors: string[]) =>
    searchNotes({ end, errors, signal: AbortSignal.abort() }, 'Only the first 3.')
  expect(notes('all')).toEqual([])
  expect(notes('enough')).toEqual(['Only the first 3.'])
  expect(notes('timed-out')).toEqual(['Timed out: not everything was searched; name a smaller folder.'])
  expect(notes('aborted')).toEqual(['Aborted by the user: not everything was searched.'])
  const signal = AbortSignal.abort(new AbortReason('the run took too long'))
  expect(searchNotes({ end: 'aborted', errors: [], signal }, '')).toEqual([
    'Aborted because the run took too long: not everything was searched.',
  ])
  expect(notes('all', 'rg: a: no')).toEqual(['Could not be searched: a: no.'])
  expect(notes('enough', 'rg: a: no', 'rg: b: no', 'rg: c: no')).toEqual([
    'Only the first 3.',
    'Could not be searched: a: no and 2 more.',
  ])
})
