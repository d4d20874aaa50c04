import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

/** What pg uses where it is there. */
const OPTIONAL = ['pg-native', 'cloudflare:sockets']

/** A program of this folder as one that starts in a quarter of the time, for tests that start it many times. */
export async function bundledWorker(name: string): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), `pith-${name}-`))
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }))
  const bundle = await rolldown({
    input: { [name]: join(import.meta.dirname, `${name}.ts`) },
    platform: 'node',
    external: OPTIONAL,
  })
  await bundle.write({ dir, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
  await bundle.close()
  return join(dir, `${name}.mjs`)
}
