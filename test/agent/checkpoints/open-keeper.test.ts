import { basename, dirname } from 'node:path'
import { expect, it } from 'vitest'
import { keptContents } from '../../../src/agent/checkpoints/open-keeper.ts'

it('each store has a folder of its own, with a short name', () => {
  const folderOf = (store?: string) => keptContents('/data', { store }).folder
  expect(dirname(folderOf())).toBe('/data/checkpoints')
  expect(basename(folderOf())).toMatch(/^[0-9a-f]{16}$/)
  expect(folderOf('a.db')).toBe(folderOf('a.db'))
  expect(new Set([folderOf(), folderOf('a.db'), folderOf('b.db')]).size).toBe(3)
})
