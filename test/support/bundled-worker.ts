import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { inject } from 'vitest'

/** What pg uses where it is there. */
const OPTIONAL = ['pg-native', 'cloudflare:sockets']

/**
 * A program of this folder as one that starts in a quarter of the time, for tests that start it many times. It lies beside
 * the program that ships, and goes with it.
 */
export async function bundledWorker(name: string): Promise<string> {
  const dir = join(dirname(inject('program')), '..', '..', 'workers', `${name}-${process.pid}`)
  const bundle = await rolldown({
    input: { [name]: join(import.meta.dirname, `${name}.ts`) },
    platform: 'node',
    external: OPTIONAL,
  })
  await bundle.write({ dir, format: 'esm' })
  await bundle.close()
  return join(dir, `${name}.js`)
}
