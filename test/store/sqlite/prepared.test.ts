import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { prepared } from '../../../src/store/sqlite/prepared.ts'

function database(): DatabaseSync {
  const opened = new DatabaseSync(':memory:')
  onTestFinished(() => opened.close())
  return opened
}

it('a statement is compiled once for each text and each database', () => {
  const [one, other] = [database(), database()]
  const first = prepared(one, 'SELECT 1 AS n')
  expect(prepared(one, 'SELECT 1 AS n')).toBe(first)
  expect(prepared(one, 'SELECT 2 AS n')).not.toBe(first)
  expect(prepared(one, 'SELECT 2 AS n')).toBe(prepared(one, 'SELECT 2 AS n'))
  expect(prepared(other, 'SELECT 1 AS n')).not.toBe(first)
  expect(first.get()).toEqual({ n: 1 })
})
