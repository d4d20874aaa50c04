import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type OutputChunk, rolldown } from 'rolldown'
import { ROOT } from './loaded-modules.ts'

/** The bytes that a page with `fit` alone loads at once, and when a conversation is first compacted: minified and gzipped. */
export type FitBundle = { readonly first: number; readonly later: number; readonly modules: readonly string[] }

const ENTRY = 'page'

/** Bundles `import { fit } from 'pith/engine'` for browsers, with the engine in this file. */
export async function bundleFit(engine = join(ROOT, 'src', 'engine.ts')): Promise<FitBundle> {
  const bundle = await rolldown({ cwd: ROOT, input: ENTRY, platform: 'browser', plugins: [pageWith(engine)] })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  const chunks = output.filter((file) => file.type === 'chunk')
  const first = loadedAtOnce(chunks)
  return {
    first: bytesOf(chunks.filter((chunk) => first.has(chunk.fileName))),
    later: bytesOf(chunks.filter((chunk) => !first.has(chunk.fileName))),
    modules: chunks.flatMap(({ moduleIds }) => moduleIds),
  }
}

const pageWith = (engine: string) => ({
  name: ENTRY,
  resolveId: (source: string) => (source === ENTRY ? ENTRY : null),
  load: (id: string) => (id === ENTRY ? `export { fit } from ${JSON.stringify(engine)}` : null),
})

function loadedAtOnce(chunks: readonly OutputChunk[]): ReadonlySet<string> {
  const names = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
  // A set also gives the elements that are added while it is gone through.
  for (const name of names)
    for (const other of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) names.add(other)
  return names
}

function bytesOf(chunks: readonly OutputChunk[]): number {
  return chunks.reduce((sum, { code }) => sum + gzipSync(code).length, 0)
}
