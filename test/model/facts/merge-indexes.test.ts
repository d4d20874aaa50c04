import { describe, expect, it } from 'vitest'
import { emptyIndex, mergeIndexes, withoutEntries } from '../../../src/model/facts/log-index.ts'
import type { FileFact, GitFact, Index } from '../../../src/model/types.ts'

const read = (path: string, seq: number): FileFact => ({ path, access: 'read', seq })
const modified = (path: string, seq: number): FileFact => ({ path, access: 'modified', seq })
const files = (...facts: FileFact[]): Index => ({ ...emptyIndex, files: facts })
const users = (...facts: Index['users']): Index => ({ ...emptyIndex, users: facts })

describe('the merge of indexes', () => {
  it('of none is empty, and of one is that one', () => {
    expect(mergeIndexes([])).toEqual(emptyIndex)
    expect(mergeIndexes([files(read('a', 1))])).toEqual({ ...emptyIndex, ...files(read('a', 1)) })
  })

  it('says of a file that it was modified, whether that came before or after a read', () => {
    expect(mergeIndexes([files(modified('a', 1)), files(read('a', 5))]).files).toEqual([modified('a', 5)])
    expect(mergeIndexes([files(read('a', 1)), files(modified('a', 5))]).files).toEqual([modified('a', 5)])
  })

  it('has what git did in the order of the log, whatever the order of the spans', () => {
    const staged: GitFact = { kind: 'staged', seq: 3, paths: ['a'] }
    const rewritten: GitFact = { kind: 'rewritten', seq: 5, reset: { mode: 'soft', commits: 1 } }
    expect(
      mergeIndexes([
        { ...emptyIndex, git: [rewritten] },
        { ...emptyIndex, git: [staged] },
      ]).git,
    ).toEqual([staged, rewritten])
  })

  it('has each file once, with the last entry that used it', () => {
    expect(mergeIndexes([files(read('a', 9)), files(read('b', 2), read('a', 4))]).files).toEqual([
      read('a', 9),
      read('b', 2),
    ])
  })

  it('has what the user said once, in the order of the log', () => {
    const index = mergeIndexes([
      users({ seq: 7, text: 'later' }),
      users({ seq: 1, text: 'first' }, { seq: 7, text: 'later' }),
    ])
    expect(index.users).toEqual([
      { seq: 1, text: 'first' },
      { seq: 7, text: 'later' },
    ])
  })

  it('leaves the indexes as they were', () => {
    const first = files(read('a', 1))
    mergeIndexes([first, files(modified('a', 2))])
    expect(first).toEqual(files(read('a', 1)))
  })

  it('has lists of its own, so that who adds to one changes no other and the addition counts', () => {
    const once = mergeIndexes([files(read('a', 1))])
    const again = mergeIndexes([once])
    again.files.push(read('a', 5))
    expect(once.files).toEqual([read('a', 1)])
    expect(mergeIndexes([again]).files).toEqual([read('a', 5)])
  })
})

describe('an index without redacted entries', () => {
  const index: Index = {
    ...emptyIndex,
    files: [read('secret.env', 3), read('a', 4)],
    users: [{ seq: 3, text: 'hunter2' }],
  }

  it('has no part of them', () => {
    expect(withoutEntries(index, new Set([3]))).toEqual(files(read('a', 4)))
  })

  it('keeps an error whose call is redacted, without its command', () => {
    const error = { text: 'boom', seq: 2, command: 'run', call: 1 }
    expect(withoutEntries({ ...emptyIndex, errors: [error] }, new Set([1])).errors).toEqual([{ text: 'boom', seq: 2 }])
  })

  it('is the same when none is redacted', () => {
    expect(withoutEntries(index, new Set())).toBe(index)
  })
})
