import { describe, expect, it } from 'vitest'
import { PithError } from '../../../src/model/problems/errors.ts'
import { withFileErrors } from '../../../src/store/sqlite/open-database.ts'

describe('an error of the file', () => {
  const errorFor = (error: unknown) => {
    try {
      return withFileErrors('a.db', () => {
        throw error
      })
    } catch (thrown) {
      return thrown
    }
  }
  const sqlite = (errcode: number) => Object.assign(new Error('why'), { errcode })

  it.each([11, 26, 267])('%i says that the file is damaged', (code) => {
    expect(errorFor(sqlite(code))).toMatchObject({
      code: 'store-damaged',
      message:
        'a.db is damaged (why): it was left as it is; restore a copy, or save what can be read with pith store salvage',
      cause: { errcode: code },
    })
  })

  it.each([8, 10, 14, 778])('%i says that the file cannot be written', (code) => {
    expect(errorFor(sqlite(code))).toMatchObject({
      code: 'store-unwritable',
      message: 'a.db cannot be written (why): nothing that was saved is lost; free space or fix its permissions',
      cause: { errcode: code },
    })
  })

  it.each(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'EISDIR', 'ENOTDIR'])('%s says so too', (code) => {
    expect(errorFor(Object.assign(new Error('why'), { code }))).toMatchObject({ code: 'store-unwritable' })
  })

  it.each([sqlite(13), Object.assign(new Error('why'), { code: 'ENOSPC' })])(
    'about a lack of space names the disk',
    (error) => {
      expect(errorFor(error)).toMatchObject({
        code: 'store-full',
        message: 'a.db cannot be written because its disk is full (why): nothing that was saved is lost; free space',
        cause: error,
      })
    },
  )

  it.each(['unsupported file format', 'duplicate column name: facts', 'no such table: entries'])(
    'that reads “%s” is damage too',
    (why) => {
      expect(errorFor(Object.assign(new Error(why), { errcode: 1 }))).toMatchObject({ code: 'store-damaged' })
    },
  )

  it.each([5, 6])('%i says that another process has the lock', (code) => {
    expect(errorFor(sqlite(code))).toMatchObject({
      code: 'store-unwritable',
      message: 'a.db is locked by another process (why), and nothing was written: try again, or end that process',
    })
  })

  it('of another kind stays what it is', () => {
    for (const error of [sqlite(1), sqlite(19), new Error('why'), 'a text', new PithError('unknown-session', 'x')]) {
      expect(errorFor(error)).toBe(error)
    }
    expect(errorFor(Object.assign(new Error('why'), { code: 'EOTHER' }))).not.toBeInstanceOf(PithError)
  })
})
