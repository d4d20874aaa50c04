import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { PendingSnapshots } from '../../../src/agent/checkpoints/disk-keeper.ts'

/** No system gives a process this number. */
const DEAD = 2 ** 30

function pendingLooks(session: string) {
  const folder = mkdtempSync(join(tmpdir(), 'pith-snapshots-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const pending = join(folder, 'pending')
  return { snapshots: new PendingSnapshots(folder, session), pending, names: () => readdirSync(pending) }
}

it('a snapshot is there until its command has ended, for the user alone', async () => {
  const { snapshots, pending, names } = pendingLooks('s')
  await snapshots.save({ states: new Map(), saved: () => 'snapshot' })
  expect(names()).toEqual([`s.${process.pid}`])
  expect([pending, join(pending, `s.${process.pid}`)].map((path) => statSync(path).mode & 0o777)).toEqual([
    0o700, 0o600,
  ])
  await snapshots.forget()
  expect(names()).toEqual([`s.${process.pid}.done`])
})

it('a snapshot without a change is written once, and is lost only if its command has not ended', async () => {
  const { snapshots, pending, names } = pendingLooks('s')
  let written = 0
  const look = { states: new Map(), saved: () => `snapshot ${++written}` }
  for (let i = 0; i < 3; i++) {
    await snapshots.save(look)
    expect(names()).toEqual([`s.${process.pid}`])
    await snapshots.forget()
  }
  expect(written).toBe(1)
  writeFileSync(join(pending, `s.${DEAD}.done`), 'ended')
  expect(await snapshots.takeLost()).toEqual([])
  expect(names()).toEqual([`s.${process.pid}.done`])
})

it('the snapshot of a dead process of this session is taken once', async () => {
  const { snapshots, pending, names } = pendingLooks('s')
  expect(await snapshots.takeLost()).toEqual([])
  await snapshots.save({ states: new Map(), saved: () => 'mine' })
  writeFileSync(join(pending, `s.${DEAD}`), 'lost')
  writeFileSync(join(pending, `other.${DEAD}`), 'not mine')
  expect(await snapshots.takeLost()).toEqual(['lost'])
  expect(await snapshots.takeLost()).toEqual([])
  expect(names().toSorted()).toEqual([`other.${DEAD}`, `s.${process.pid}`])
})
