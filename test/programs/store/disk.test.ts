import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it, type TestContext } from 'vitest'
import type { Entry } from '../../../src/model/types.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { bundledWorker } from '../../support/bundled-worker.ts'
import type { DiskReport, DiskTask } from '../../support/disk-worker.ts'
import { user } from '../../support/messages.ts'

const WORKER = await bundledWorker('disk-worker')
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pith-disk-'))
})
afterEach(() => {
  chmodSync(folder, 0o700)
  rmSync(folder, { recursive: true, force: true })
})

describe('a disk that is full', () => {
  it('fails the append with one line, keeps all that was acknowledged, and takes more when there is space', async (context) => {
    const disk = join(folder, 'disk')
    // In a name space of its own: the small disk goes with the process.
    const script = `mkdir "$1" && mount -t tmpfs -o size=4m pith "$1" && shift && exec "$@"`
    const shell = ['--mount', 'bash', '-c', script, 'bash', disk]
    if (spawnSync('unshare', [...shell, 'true']).status !== 0) return leaveOut(context, 'no small disk can be mounted')
    rmSync(disk, { recursive: true, force: true })
    const task = { where: join(disk, 'pith.db'), ballast: join(disk, 'ballast') }
    const report = await run('unshare', [...shell, process.execPath], task)
    const { acknowledged, found, error, wentOn } = report
    expectOneLine(error, 'store-full')
    expect(report).toMatchObject({ spaceWhenFull: 'store-full', spaceAfter: 'enough' })
    expect(acknowledged.length).toBeGreaterThan(10)
    expect(found).toEqual(acknowledged)
    expect(wentOn).toBe(true)
  })

  it('is the same when only the file must not grow', async (context) => {
    // The signal is ignored so that the write itself fails, as it does on a full disk.
    const script = `trap '' XFSZ && ulimit -f 1500 && exec "$@"`
    if (spawnSync('bash', ['-c', script, 'bash', 'true']).status !== 0) return leaveOut(context, 'no bash with ulimit')
    const where = join(folder, 'pith.db')
    const { acknowledged, session, error } = await run('bash', ['-c', script, 'bash', process.execPath], { where })
    expectOneLine(error)
    expect(acknowledged.length).toBeGreaterThan(10)
    expect(await entriesOf(where, session ?? '')).toEqual(acknowledged)
  })
})

describe('a place without the right to write', () => {
  let where: string
  let session: string
  let before: readonly Entry[]
  beforeEach(async () => {
    where = join(folder, 'pith.db')
    const store = await openStore(where)
    session = (await store.createSession({ owner: 'ann', workspace: '/repo' })).id
    await store.append(session, [{ type: 'message', message: user('hello') }])
    before = (await store.entries(session)).entries
    await store.close()
  })

  it('is one line when it is the file, and nothing is lost', async (context) => {
    chmodSync(where, 0o400)
    const error = await refused(context, where)
    if (error === undefined) return
    expectOneLine(error)
    chmodSync(where, 0o600)
    expect(await entriesOf(where, session)).toEqual(before)
  })

  it('is one line when it is the folder, and nothing is lost', async (context) => {
    chmodSync(folder, 0o500)
    const error = await refused(context, where)
    if (error === undefined) return
    expectOneLine(error)
    chmodSync(folder, 0o700)
    expect(await entriesOf(where, session)).toEqual(before)
  })

  it('is one line when there is no file yet', async (context) => {
    chmodSync(folder, 0o500)
    const error = await refused(context, join(folder, 'other.db'))
    if (error !== undefined) expectOneLine(error)
  })
})

function expectOneLine(error: DiskReport['error'], code = 'store-unwritable'): void {
  expect(error).toMatchObject({ code, message: expect.stringMatching(/cannot be (written|made)/) })
  expect(error?.message).not.toContain('\n')
}

/** The error that a user without special rights gets; root may write everywhere, so another user has to try. */
async function refused(context: TestContext, where: string): Promise<DiskReport['error'] | undefined> {
  if (!isRoot) return (await run(process.execPath, [], { where })).error
  const options = { uid: NOBODY, gid: NOBODY }
  if (spawnSync(process.execPath, ['-e', `require('fs').accessSync(process.argv[1])`, WORKER], options).status !== 0) {
    return leaveOut(context, 'root may write everywhere, and nobody else may read this folder')
  }
  for (const path of [folder, join(folder, 'pith.db')]) chownSync(path, NOBODY, NOBODY)
  return (await run(process.execPath, [], { where }, options)).error
}

function leaveOut(context: TestContext, why: string): undefined {
  process.stdout.write(`left out: ${why}\n`)
  context.skip(why)
}

async function entriesOf(where: string, session: string): Promise<readonly Entry[]> {
  const database = new DatabaseSync(where)
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  database.close()
  const store = await openStore(where)
  const { entries } = await store.entries(session)
  await store.close()
  return entries
}

/** Runs the worker under a command and reads its report. */
async function run(
  command: string,
  before: readonly string[],
  task: DiskTask,
  options: { uid?: number; gid?: number } = {},
): Promise<DiskReport> {
  const child = spawn(command, [...before, WORKER, JSON.stringify(task)], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect(code, errors).toBe(0)
  return JSON.parse(text) as DiskReport
}
