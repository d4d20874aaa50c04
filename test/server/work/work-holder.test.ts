import { hostname } from 'node:os'
import { expect, it } from 'vitest'
import { runningOf, workHolder } from '../../../src/server/work/work-list.ts'

it('the holder of a lease names its work and its process', () => {
  expect(workHolder({ kind: 'turn', id: 't1' })).toBe(`turn:t1@${hostname()}:${process.pid}`)
})

it.each([
  ['turn:t1@box:7', { kind: 'turn', id: 't1' }],
  ['compaction:c1@box:7', { kind: 'compaction', id: 'c1' }],
  ['box:7', { kind: 'other', id: 'box:7' }],
  ['turn:t1', { kind: 'other', id: 'turn:t1' }],
  ['turn:@box:7', { kind: 'other', id: 'turn:@box:7' }],
  ['a turn:t1@box:7', { kind: 'other', id: 'a turn:t1@box:7' }],
] as const)('the work of the holder %s is known', (holder, work) => {
  expect(runningOf(holder)).toEqual(work)
})
