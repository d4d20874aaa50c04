import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

/** What pg uses where it is there. */
const OPTIONAL = ['pg-native', 'cloudflare:sockets']

/**
 * A program of this folder as one that starts in a quarter of the time, for tests that start it many times. The first of a
 * run leaves it for the others in the folder of the run, where they also find what Node has compiled of it.
 */
export async function bundledWorker(name: string): Promise<string> {
  const { RUN_FOLDER: run } = process.env
  if (run === undefined) {
    const folder = mkdtempSync(join(tmpdir(), `pith-${name}-`))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    return bundled(name, folder)
  }
  const kept = join(run, name)
  if (!existsSync(kept)) {
    const mine = `${kept}-${process.pid}`
    await bundled(name, mine)
    try {
      renameSync(mine, kept)
    } catch {
      // Another process was first.
      rmSync(mine, { recursive: true })
    }
  }
  return fileOf(name, kept)
}

async function bundled(name: string, dir: string): Promise<string> {
  const bundle = await rolldown({
    input: { [name]: join(import.meta.dirname, `${name}.ts`) },
    platform: 'node',
    external: OPTIONAL,
  })
  await bundle.write({ dir, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
  await bundle.close()
  return fileOf(name, dir)
}

function fileOf(name: string, dir: string): string {
  return join(dir, `${name}.mjs`)
}
