import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The folder of the package, in a checkout and as installed: this file is two folders deep in both. */
export const PACKAGE = resolve(import.meta.dirname, '../..')

/** The version of Pith. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'))
  return String(version)
}
