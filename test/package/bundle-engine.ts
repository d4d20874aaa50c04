import { join } from 'node:path'
import { build, type Rollup } from 'vite'
import { ROOT } from './loaded-modules.ts'

/** The engine as one script for a browser that has the global `Pith`. */
export async function bundleEngine(minify: boolean): Promise<string> {
  const built = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    publicDir: false,
    build: {
      write: false,
      minify,
      target: 'es2024',
      lib: { entry: join(ROOT, 'src', 'engine.ts'), name: 'Pith', formats: ['iife'] },
    },
  })
  const [bundle] = [built].flat() as Rollup.RollupOutput[]
  const chunk = bundle?.output[0]
  if (chunk === undefined || bundle?.output.length !== 1) throw new Error('the engine is not one file')
  return chunk.code
}
