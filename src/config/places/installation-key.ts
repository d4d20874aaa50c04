import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The key of this installation, from its file in Pith's folder. It is made there on first use, for its owner alone. */
export function installationKey(folder: string): Uint8Array {
  const known = knownKey(folder)
  if (known !== undefined) return known
  const file = join(folder, KEY_FILE)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`
  try {
    writeFileSync(temporary, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flush: true })
    // A link never replaces a file: of two processes that begin at once, both read the key of the first.
    linkSync(temporary, file)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(temporary, { force: true })
  }
  const key = readKey(file)
  if (key === undefined) throw new Error(`${file} cannot be read`)
  return key
}

/** The key, if this installation has one already. */
export function knownKey(folder: string): Uint8Array | undefined {
  return readKey(join(folder, KEY_FILE))
}

const KEY_FILE = 'gateway.key'
const KEY_BYTES = 32

function readKey(file: string): Uint8Array | undefined {
  try {
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex')
    if (key.length !== KEY_BYTES) throw new Error(`${file} does not hold a key: remove it, and Pith makes a new one`)
    return key
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
