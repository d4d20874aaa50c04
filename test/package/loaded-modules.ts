import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

export const ROOT = resolve(import.meta.dirname, '..', '..')

/** The modules that importing each of these files of src loads: ours from src on, packages by their name. */
export function loadedModules(files: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const urls = files.map((file) => pathToFileURL(join(ROOT, 'src', file)).href)
  // Thousands of addresses: how many bytes that is depends on the folder of the clone.
  const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', SCRIPT, ...urls], options)
  const imports = Map.groupBy(JSON.parse(output) as Import[], ([importer]) => importer)
  return Object.fromEntries(files.map((file, i) => [file, namesFrom(urls[i] ?? '', imports)]))
}

/** A module and another one that it imports, by their addresses. */
type Import = readonly [importer: string, imported: string]

/** One process imports them all, for most of its time goes into the start, and prints every import that it sees. */
const SCRIPT = `
  import { registerHooks } from 'node:module'
  const seen = []
  registerHooks({ resolve(name, context, next) {
    const found = next(name, context)
    seen.push([context.parentURL, found.url])
    return found
  } })
  for (const url of process.argv.slice(1)) await import(url)
  console.log(JSON.stringify(seen))`

/** The modules that are reached from one, by name. */
function namesFrom(start: string, imports: ReadonlyMap<string, readonly Import[]>): string[] {
  const reached = new Set([start])
  for (const url of reached) for (const [, imported] of imports.get(url) ?? []) reached.add(imported)
  return [...new Set([...reached].map(nameOf))].toSorted()
}

function nameOf(url: string): string {
  const inPackage = url.split('/node_modules/').at(-1)
  if (inPackage !== url && inPackage !== undefined) {
    const [scope = '', name = ''] = inPackage.split('/')
    return scope.startsWith('@') ? `${scope}/${name}` : scope
  }
  return url.split('/src/').at(-1) ?? url
}
