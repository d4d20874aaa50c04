// Makes dist/web, or the folder that is named: the page that `pith serve` shows.
import { renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'vite'

const root = resolve(import.meta.dirname, '..')
const folder = resolve(process.argv[2] ?? join(root, 'dist', 'web'))
const fresh = `${folder}-${process.pid}`

await build({
  root: join(root, 'web'),
  base: './',
  configFile: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: fresh,
    emptyOutDir: true,
    target: 'es2022',
    // The policy of the page allows no data: fonts or scripts, and no inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
// Two servers that start at once each build it: nobody sees half a page.
rmSync(folder, { recursive: true, force: true })
try {
  renameSync(fresh, folder)
} catch {
  rmSync(fresh, { recursive: true, force: true })
}
