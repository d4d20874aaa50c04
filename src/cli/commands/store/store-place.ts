import { join } from 'node:path'
import { PithError } from '../../../model/problems/errors.ts'
import { loadSetup } from '../../setup/setup.ts'

/** Where our sessions are: the path of a file, or the URL of a server. */
export function storePlace(): string {
  const { config, folders } = loadSetup({})
  return config.settings.store ?? join(folders.data, 'pith.db')
}

export function isServer(place: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(place)
}

/** The path of the database file; a server has tools of its own for this. */
export function storeFile(instead: string): string {
  const place = storePlace()
  if (isServer(place)) throw new PithError('bad-argument', `the sessions are on a PostgreSQL server: ${instead}`)
  return place
}
