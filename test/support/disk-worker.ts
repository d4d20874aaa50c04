// One process of the tests of a disk that refuses: it appends until the store does not take any more, and reports it in
// one line of JSON.
import { rmSync, writeFileSync } from 'node:fs'
import { PithError } from '../../src/model/problems/errors.ts'
import type { Entry } from '../../src/model/types.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { user } from './messages.ts'

/** `ballast` is a file that takes some of the space and is deleted when the disk is full. */
export type DiskTask = { readonly where: string; readonly ballast?: string }

export type DiskReport = {
  readonly session?: string
  /** The entries that the store has acknowledged, and those that it had in the end. */
  readonly acknowledged: readonly Entry[]
  readonly found: readonly Entry[]
  readonly error?: { readonly code: string; readonly message: string }
  /** The code that a check of the space ended with while the disk was full; and after that, with space. */
  readonly spaceWhenFull?: string
  readonly spaceAfter?: string
  /** Whether it continued when there was space again. */
  readonly wentOn: boolean
}

/** More appends than any of these disks takes. */
const MOST_APPENDS = 5_000
/** More than the space that a check of the space asks for. */
const BALLAST_BYTES = 1_500_000

const task = JSON.parse(process.argv[2] ?? '{}') as DiskTask
const acknowledged: Entry[] = []
process.stdout.write(JSON.stringify(await report(task)))

async function report({ where, ballast }: DiskTask): Promise<DiskReport> {
  if (ballast !== undefined) writeFileSync(ballast, Buffer.alloc(BALLAST_BYTES))
  let store: Store
  try {
    store = await openStore(where)
  } catch (error) {
    return { acknowledged, found: [], error: reportOf(error), wentOn: false }
  }
  const { id: session } = await store.createSession({ owner: 'ann', workspace: '/repo' })
  const error = await fill(store, session)
  if (ballast === undefined) {
    await store.close()
    return { session, acknowledged, found: [], error, wentOn: false }
  }
  const spaceWhenFull = await spaceIn(store)
  rmSync(ballast)
  const spaceAfter = await spaceIn(store)
  const before = acknowledged.length
  await append(store, session)
  await store.close()
  const again = await openStore(where)
  const { entries: found } = await again.entries(session)
  await again.close()
  const wentOn = acknowledged.length === before + 1
  return { session, acknowledged, found, error, spaceWhenFull, spaceAfter, wentOn }
}

async function spaceIn(store: Store): Promise<string | undefined> {
  return store.checkSpace?.().then(
    () => 'enough',
    (error) => reportOf(error)?.code,
  )
}

/** Appends until the store refuses, and once more: a refusal leaves it as it was. */
async function fill(store: Store, session: string): Promise<DiskReport['error']> {
  let error: DiskReport['error']
  for (let i = 0; i < MOST_APPENDS && error === undefined; i++) {
    error = await append(store, session).then(() => undefined, reportOf)
  }
  await append(store, session).catch(() => undefined)
  return error
}

async function append(store: Store, session: string): Promise<void> {
  const text = `${acknowledged.length} `.padEnd(2_000, 'It goes on and on. ')
  const done = await store.append(session, [{ type: 'message', message: user(text) }])
  if (done.ok) acknowledged.push(...done.entries)
}

function reportOf(error: unknown): DiskReport['error'] {
  if (error instanceof PithError) return { code: error.code, message: error.message }
  return { code: 'unexpected', message: String(error) }
}
