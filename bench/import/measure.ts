// Measures what an import costs: the time of each entry point in a fresh process, bundled as it is published, and the size of the
// engine as one file. Run it: npm run bench:import
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { bundleLibrary } from '../../scripts/bundle.mjs'
import { bundleFit } from '../../test/package/bundle-fit.ts'
import { bundleScript } from '../../test/package/bundle-script.ts'
import { loadedModules } from '../../test/package/loaded-modules.ts'

const ENTRIES = {
  'pith/engine': 'engine',
  pith: 'index',
  'pith/formats': 'formats/index',
  'pith/store': 'store/index',
  'pith/session': 'session/index',
  'pith/ai-sdk': 'adapters/ai-sdk/index',
}
const RUNS = 7

const folder = await bundled()
console.log(
  `Node ${process.version}; the fastest of ${RUNS} runs; an empty module takes ${importMs('empty.js').toFixed(0)} ms`,
)
const loaded = loadedModules(Object.values(ENTRIES).map((file) => `${file}.ts`))
for (const [name, file] of Object.entries(ENTRIES)) {
  const times = Array.from({ length: RUNS }, () => importMs(`${file}.js`))
  const modules = loaded[`${file}.ts`]?.length
  console.log(
    `${name.padEnd(12)} ${Math.min(...times)
      .toFixed(0)
      .padStart(5)} ms  ${modules} modules and packages`,
  )
}
const code = await bundleScript(join(folder, 'engine.js'), true)
rmSync(folder, { recursive: true })
const sizes = [Buffer.byteLength(code), gzipSync(code).length, brotliCompressSync(code).length].map(kilobytes)
console.log(`the engine bundled for the browser: ${sizes[0]} minified, ${sizes[1]} gzip, ${sizes[2]} brotli`)
const { first, later } = await bundleFit()
console.log(`fit alone: ${kilobytes(first)} gzip at once, ${kilobytes(later)} when a conversation is first compacted`)

async function bundled(): Promise<string> {
  const out = mkdtempSync(join(tmpdir(), 'pith-import-'))
  await bundleLibrary(out)
  writeFileSync(join(out, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(out, 'empty.js'), '')
  return out
}

function importMs(file: string): number {
  const url = pathToFileURL(join(folder, file)).href
  const script = `const start = performance.now(); await import(${JSON.stringify(url)}); console.log(performance.now() - start)`
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }))
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}
