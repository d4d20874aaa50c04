import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { madeOnce } from './run-folder.ts'

/** Packages that pg uses if they are there. */
const OPTIONAL = ['pg-native', 'cloudflare:sockets']

/**
 * A program of this folder as one that starts in a quarter of the time, for tests that start it many times. The first of a
 * run leaves it for the others in the folder of the run, which also has the code that Node has compiled.
 */
export async function bundledWorker(name: string): Promise<string> {
  return join(await madeOnce(name, (folder) => bundle(name, folder)), `${name}.mjs`)
}

async function bundle(name: string, dir: string): Promise<void> {
  const made = await rolldown({
    input: { [name]: join(import.meta.dirname, `${name}.ts`) },
    platform: 'node',
    external: OPTIONAL,
  })
  await made.write({ dir, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
  await made.close()
}
