import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { openStore } from '../../src/store/open-store.ts'
import { full } from './full.ts'
import { type PostgresPrograms, postgresPrograms } from './postgres-programs.ts'
import { folderOfRun, madeOnce } from './run-folder.ts'

/** A real PostgreSQL server for the tests of one file. */
export type TestPostgres = {
  /** The address of a fresh, empty database. */
  url(): Promise<string>
  /** The address of a fresh database that has the tables of a store and no rows: a copy, for to make them takes twice as long. */
  readyUrl(): Promise<string>
  /** Stops all processes of the server, as a machine does that hangs; the function lets them continue. */
  pause(): Promise<() => void>
  /** Kills all processes of the server at once and starts it again on the files that they left. */
  crash(): Promise<void>
  /** Ends the server and deletes its files. */
  stop(): Promise<void>
}

/** `disk`: the size of a disk of its own for the databases, such as `32m`. Only root can mount one. */
type StartOptions = { readonly fsync?: boolean; readonly programs?: PostgresPrograms; readonly disk?: string }

/**
 * Starts a server on a free port with its files in the folder of the run, also for root. What keeps it from starting is
 * thrown at once. The long form waits for the disk, as a real server does.
 */
export async function startPostgres(options: StartOptions = {}): Promise<TestPostgres> {
  const { fsync = full, programs = await postgresPrograms(), disk } = options
  const folder = mkdtempSync(join(folderOfRun(), 'postgres-'))
  giveTo(programs, folder)
  const data = join(folder, 'data')
  copyOwned(await madeOnce('postgres-data', (made) => initialise(programs, made)), data)
  const small = disk === undefined ? undefined : { path: join(folder, 'disk'), size: disk }
  if (small !== undefined) mkdirSync(small.path)
  const files: ServerFiles = { programs, data, fsync, small }
  const { process: first, port } = await startOnFreePort(files)
  let server = first
  let databases = 0
  let template: Promise<string> | undefined
  const newDatabase = async (of: string): Promise<string> => {
    const name = `pith_${++databases}`
    const admin = new pg.Client(address(port, 'postgres'))
    await admin.connect()
    if (small !== undefined && databases === 1) await admin.query(`CREATE TABLESPACE small LOCATION '${small.path}'`)
    const place = small === undefined ? '' : 'TABLESPACE small'
    // To copy the files of a database takes a third of the time in which they are written to the log.
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${of} STRATEGY file_copy ${place}`)
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
    async pause() {
      const pids = await processesOf(address(port, 'postgres'), data)
      for (const pid of pids) signal(pid, 'SIGSTOP')
      // The one that was stopped first starts others.
      return () => pids.toReversed().forEach((pid) => void signal(pid, 'SIGCONT'))
    },
    async crash() {
      const pids = await processesOf(address(port, 'postgres'), data)
      for (const pid of pids) signal(pid, 'SIGKILL')
      while (pids.some((pid) => signal(pid, 0))) await new Promise((resolve) => setTimeout(resolve, 10))
      server = await start(files, port)
    },
    async stop() {
      await stop(server)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function address(port: number, database: string): string {
  return `postgres://postgres:password@127.0.0.1:${port}/${database}`
}

type ServerFiles = {
  readonly programs: PostgresPrograms
  readonly data: string
  readonly fsync: boolean
  readonly small: SmallDisk | undefined
}

type SmallDisk = { readonly path: string; readonly size: string }

/** A command in a name space of its own, where a small disk is mounted: it goes with the process. */
function onSmallDisk({ path, size }: SmallDisk, { uid, gid }: PostgresPrograms['user'], command: readonly string[]) {
  const script = `mount -t tmpfs -o "size=$1,uid=$2,gid=$3,mode=700" pith "$4" && shift 4 && exec "$@"`
  const user = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  return ['--mount', 'bash', '-c', script, 'bash', size, String(uid), String(gid), path, ...user, ...command]
}

/** Another process may take the port between the look and the start: then the next one is tried. */
async function startOnFreePort(files: ServerFiles): Promise<{ process: ChildProcess; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    try {
      return { process: await start(files, port), port }
    } catch (error) {
      if (attempt === 5 || !String(error).includes('already in use')) throw error
    }
  }
}

/** Starts a server, and waits until it takes connections. */
function start({ programs, data, fsync, small }: ServerFiles, port: number): Promise<ChildProcess> {
  const { postgres, user } = programs
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    `fsync=${fsync ? 'on' : 'off'}`,
    'max_connections=400',
  ]
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])]
  return new Promise((resolve, reject) => {
    const [program, all] =
      small === undefined ? [postgres, args] : ['unshare', onSmallDisk(small, user, [postgres, ...args])]
    // The mount needs root; the command then becomes the other user.
    const runAs = small === undefined ? user : {}
    const server = spawn(program, all, { ...runAs, cwd: data, env: ENGLISH, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    const kill = () => server.kill('SIGQUIT')
    process.once('exit', kill)
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-MOST_CHARACTERS)
      if (said.includes('database system is ready to accept connections')) resolve(server)
    })
    server.once('error', reject)
    server.once('close', () => {
      process.removeListener('exit', kill)
      reject(new Error(`PostgreSQL did not start: ${said}`))
    })
  })
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const closed = once(server, 'close')
  // It ends its connections, and itself.
  server.kill('SIGINT')
  await closed
}

const MOST_CHARACTERS = 2_000
/** The line that says that a server is ready is searched for. */
const ENGLISH = { ...process.env, LC_ALL: 'C' }

/** To make the files of a server takes a second of CPU time, to copy them a tenth of that. */
async function initialise(programs: PostgresPrograms, data: string): Promise<void> {
  const { initdb, user } = programs
  const password = `${data}-password`
  writeFileSync(password, 'password')
  giveTo(programs, password)
  mkdirSync(data)
  giveTo(programs, data)
  // The plainest locale: what passes here passes in every other. A password that is quick to check: each test connects.
  const settings = ['--encoding=UTF8', '--locale=C', '--no-sync', '--set=scram_iterations=1']
  const access = ['--username=postgres', '--auth=password', `--pwfile=${password}`]
  await promisify(execFile)(initdb, [`--pgdata=${data}`, ...access, ...settings], { ...user, cwd: data, env: ENGLISH })
}

function giveTo({ user: { uid, gid } }: PostgresPrograms, path: string): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
}

/** The files belong to the user that PostgreSQL runs as, and so do their copies. */
function copyOwned(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to])
}

/** The processes of a server. The postmaster first, so that it does not clean up after the others. */
async function processesOf(url: string, databaseDir: string): Promise<number[]> {
  const admin = new pg.Client(url)
  admin.on('error', () => undefined)
  await admin.connect()
  const { rows } = await admin.query<{ pid: number }>('SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()')
  const postmaster = Number(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')[0])
  await admin.end()
  return [postmaster, ...rows.map(({ pid }) => pid)]
}

/** False for a process that has ended. */
function signal(pid: number, which: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' | 0): boolean {
  try {
    return process.kill(pid, which)
  } catch {
    return false
  }
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
