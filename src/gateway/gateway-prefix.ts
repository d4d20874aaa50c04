import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readConfigText } from '../config/read/read-config-file.ts'
import { keepPrivate } from '../config/write/keep-private.ts'
import { writePrivate } from '../config/write/write-private.ts'

/** The variable that may hold the prefix. It is not a flag, because every user of the machine can read a command line. */
const PREFIX_VARIABLE = 'PITH_GATEWAY_PREFIX'

/** A prefix that nobody can guess. */
function newPrefix(): string {
  return randomBytes(24).toString('base64url')
}

/** The prefix of this installation, from the environment or from a file that only the user may read. It stays the same, so clients stay configured. */
export function gatewayPrefix(folder: string, env: Readonly<Record<string, string | undefined>>): string {
  const given = env[PREFIX_VARIABLE]?.trim()
  if (given !== undefined && /^[\w-]{16,}$/.test(given)) return given
  const file = join(folder, 'gateway-prefix')
  const stored = readConfigText(file)?.trim()
  if (stored !== undefined && /^[\w-]{16,}$/.test(stored)) {
    keepPrivate(file)
    return stored
  }
  const made = newPrefix()
  writePrivate(file, `${made}\n`)
  return made
}
