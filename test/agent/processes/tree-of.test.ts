import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type TreeRoot, treeOf } from '../../../src/agent/processes/owned-process.ts'
import type { ProcessRow } from '../../../src/agent/processes/process-table.ts'

const ROOT: TreeRoot = { pid: 10, hasExited: false, known: new Set(), isMarked: () => false }

function row(pid: number, parent: number, group = pid, session = group): ProcessRow {
  return { pid, parent, group, session }
}

const found = (rows: readonly ProcessRow[], root: Partial<TreeRoot> = {}) =>
  [...treeOf(rows, { ...ROOT, ...root })].toSorted((a, b) => a - b)

it('has children and theirs, members of the group, and groups and sessions that any of them made', () => {
  const rows = [
    row(1, 0),
    row(5, 1),
    row(10, 5),
    row(11, 10, 10),
    row(12, 11, 12),
    // Its parent has ended: it is known by its group, that of the started process or that of a child.
    row(13, 1, 10),
    row(14, 1, 12),
    row(15, 1, 15, 12),
    row(20, 5),
  ]
  expect(found(rows)).toEqual([10, 11, 12, 13, 14, 15])
})

it('has processes with the mark and their children, whatever their parent is now', () => {
  const rows = [row(10, 5), row(30, 1), row(31, 30), row(40, 1)]
  expect(found(rows, { isMarked: (pid) => pid === 30 })).toEqual([10, 30, 31])
})

it('has what was found before, though its parent has ended since', () => {
  expect(found([row(30, 1), row(31, 30)], { hasExited: true, known: new Set([30]) })).toEqual([30, 31])
})

it('of a process that has ended has its group, unless another process has its number now', () => {
  expect(found([row(13, 1, 10)], { hasExited: true })).toEqual([13])
  expect(found([row(10, 1), row(13, 10, 10)], { hasExited: true })).toEqual([])
})

it('never has a process that has nothing to do with it', () => {
  const rows = fc.array(fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9), fc.nat(9)), { maxLength: 20 })
  fc.assert(
    fc.property(rows, (table) => {
      // The strangers have numbers of their own, and none of them comes of 10.
      const strangers = table.map(([pid, ...of]) =>
        row(pid + 100, ...(of.map((id) => id + 100) as [number, number, number])),
      )
      const family = table.map(([pid, ...of]) =>
        row(pid + 10, ...(of.map((id) => id + 10) as [number, number, number])),
      )
      const pids = found([...strangers, ...family])
      expect(pids.every((pid) => pid < 100)).toBe(true)
      for (const { pid, parent } of family) if (pids.includes(parent)) expect(pids).toContain(pid)
    }),
  )
})
