// Makes dist/web, or the folder that is named: the page that `pith serve` shows.
import { existsSync, renameSync, rmSync } from 'node:fs'
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
// Two servers that start at once each build it: whole pages change places, so that nobody sees half a one.
const old = `${fresh}-old`
try {
  if (existsSync(folder)) renameSync(folder, old)
  renameSync(fresh, folder)
} catch {
  // Another build was faster: its page is as good.
}
for (const left of [fresh, old]) rmSync(left, { recursive: true, force: true })
