import { dirname, join } from 'node:path/posix'

/** Which files each file runs: those that it imports, and those that it names in a text to start them. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

export type RelatedTest = { readonly test: string; readonly distance: number }

const CODE = /\.(?:ts|tsx|mts|mjs)$/
const TYPE_IMPORT = /^\s*(?:import|export) type [^'"]*?from\s*['"][^'"]+['"]/gm
const NAMED_FILE = /['"`]([^'"`\n]+\.(?:ts|tsx|mts|mjs))['"`]/g
const INJECT = /import\s*\{[^}]*\binject\b[^}]*\}\s*from 'vitest'/

/** The graph of a tree of files with these paths; `read` gives the text of one. */
export function importGraph(paths: readonly string[], read: (path: string) => string): ImportGraph {
  const code = new Set(paths.filter((path) => CODE.test(path)))
  return new Map([...code].map((path) => [path, filesRunBy(path, read(path), code)]))
}

/**
 * The tests that run a file, the nearest first: the test of the same name, then by how many imports are between, then by
 * how many folders they share. A test of the mirrored folder is as near as one that imports the file, and a
 * test of the same room as one that imports it through another: they know most about it, and start no whole program.
 */
export function relatedTests(graph: ImportGraph, file: string): RelatedTest[] {
  return [...distancesTo(graph, file)]
    .filter(([path]) => isTest(path))
    .map(([test, distance]) => ({ test, distance: Math.min(distance, distanceByName(test, file)) }))
    .toSorted(
      (a, b) =>
        a.distance - b.distance ||
        sharedFolders(b.test, file) - sharedFolders(a.test, file) ||
        (a.test < b.test ? -1 : 1),
    )
}

/** The tests that use the program as Vitest's global setup built it: it must be built again for each mutant. */
export function programTests(graph: ImportGraph): ReadonlySet<string> {
  const config = [...graph.keys()].filter(isVitestConfig)
  return new Set(config.flatMap((path) => [...distancesTo(graph, path).keys()]).filter(isTest))
}

function filesRunBy(path: string, text: string, code: ReadonlySet<string>): string[] {
  const named = [...text.replace(TYPE_IMPORT, '').matchAll(NAMED_FILE)].map(([, name = '']) => name)
  const found = named
    // A test names many files that it only makes up; what it starts it names relative to itself.
    .filter((name) => name.startsWith('.') || !isTest(path))
    .map((name) => (name.startsWith('.') ? join(dirname(path), name) : name))
  // A test that gets something from the global setup runs what the configuration names.
  if (INJECT.test(text)) found.push(...[...code].filter(isVitestConfig))
  return [...new Set(found)].filter((name) => code.has(name) && name !== path)
}

function distancesTo(graph: ImportGraph, file: string): Map<string, number> {
  const users = usersOf(graph)
  const distances = new Map([[file, 0]])
  for (const [path, distance] of distances) {
    for (const user of users.get(path) ?? []) if (!distances.has(user)) distances.set(user, distance + 1)
  }
  distances.delete(file)
  return distances
}

function usersOf(graph: ImportGraph): Map<string, string[]> {
  const users = new Map<string, string[]>()
  for (const [path, imports] of graph) {
    for (const imported of imports) users.set(imported, [...(users.get(imported) ?? []), path])
  }
  return users
}

function isTest(path: string): boolean {
  return path.endsWith('.test.ts')
}

function isVitestConfig(path: string): boolean {
  return path === 'vitest.config.ts'
}

function distanceByName(test: string, file: string): number {
  if (stem(test) === stem(file)) return 0
  if (dirname(stem(test)) === dirname(stem(file))) return 1
  return sharedFolders(test, file) > 0 ? 2 : Number.POSITIVE_INFINITY
}

function stem(path: string): string {
  return path.replace(/^[^/]+\//, '').replace(/(\.test)?\.ts$/, '')
}

/** `test/engine/plan/cut.test.ts` and `src/engine/plan/keep.ts` share two. */
function sharedFolders(a: string, b: string): number {
  const [left, right] = [stem(a).split('/'), stem(b).split('/')]
  const differs = left.findIndex((name, index) => name !== right[index])
  return differs === -1 ? left.length : differs
}
