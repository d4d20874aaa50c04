import { dirname } from 'node:path'
import { build, type Rollup } from 'vite'

/** A module with everything that it imports, now or later, as one script for a browser. It has the global `Pith`. */
export async function bundleScript(entry: string, minify: boolean): Promise<string> {
  const built = await build({
    configFile: false,
    root: dirname(entry),
    logLevel: 'error',
    publicDir: false,
    build: {
      write: false,
      minify,
      target: 'es2024',
      lib: { entry, name: 'Pith', formats: ['iife'] },
    },
  })
  const [bundle] = [built].flat() as Rollup.RollupOutput[]
  const chunk = bundle?.output[0]
  if (chunk === undefined || bundle?.output.length !== 1) throw new Error(`${entry} is not one file`)
  return chunk.code
}
