import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The script that installs one release: `install.sh` with its version, its checksums and the address of its files. */
export function installScript({ version, sums, from = '' }) {
  const text = readFileSync(join(import.meta.dirname, 'install.sh'), 'utf8')
  return text
    .replaceAll('@VERSION@', () => version)
    .replaceAll('@FROM@', () => from)
    .replaceAll('@SUMS@', () => sums.join('\n'))
}
