import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { forbiddenImports, importRing, importsOf, impurities, valueImportsOf } from './support/architecture.ts'

const root = resolve(import.meta.dirname, '..')
const src = join(root, 'src')

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replaceAll('\\', '/'))
  .toSorted()
const texts = new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]))
const textOf = (file: string) => texts.get(file) ?? ''

describe('the architecture', () => {
  it('lets a file import only what stands left of it', () => {
    const forbidden = files.flatMap((file) =>
      forbiddenImports(
        file,
        importsOf(textOf(file)).map((name) => within(file, name)),
      ),
    )
    expect(forbidden).toEqual([])
  })

  it('has no files that import each other in a ring', () => {
    const imports = files.map((file) => {
      const names = valueImportsOf(textOf(file))
      return [file, names.map((name) => within(file, name))] as const
    })
    expect(importRing(new Map(imports))).toBeUndefined()
  })

  it('keeps the pure folders pure', () => {
    expect(files.flatMap((file) => impurities(file, textOf(file)))).toEqual([])
  })
})

const EXPORTED = /^export (?:async )?(?:function\*?|const|class|type) (\w+)/gm

/** The same thing for users of two frameworks, each under its own entry point. */
const PUBLIC_TWICE: ReadonlySet<string> = new Set(['compactionMiddleware', 'summaryModelOf', 'recall'])

describe('the rooms', () => {
  const rooms = files.flatMap((file) => file.match(/^(?:engine\/)?[\w-]+(?=\/)/)?.[0] ?? [])
  it.each([...new Set(rooms)])('src/%s has a README', (room) => {
    expect(existsSync(join(src, room, 'README.md'))).toBe(true)
  })

  const pages = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('README.md') && !file.includes('plugins/claude-code'))
    .map((file) => file.replaceAll('\\', '/'))
  it.each(pages)('src/%s has at most 30 lines, and the files that it names are there', (page) => {
    const text = readFileSync(join(src, page), 'utf8')
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(30)
    const named = [...text.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, name = '']) => name)
    const room = dirname(page)
    const below = files.filter((file) => file.startsWith(`${room}/`))
    const isThere = (name: string) =>
      below.some((file) => file.endsWith(`/${name}`)) ||
      [join(src, room, '..'), src, root].some((folder) => existsSync(join(folder, name)))
    expect(named.filter((name) => !isThere(name))).toEqual([])
  })

  it('of the engine are all there is in it', () => {
    expect(files.filter((file) => /^engine\/[^/]+$/.test(file))).toEqual([])
  })

  it('export a name from one file only', () => {
    const homes = new Map<string, Set<string>>()
    for (const file of files)
      for (const [, name = ''] of textOf(file).matchAll(EXPORTED))
        homes.set(name, (homes.get(name) ?? new Set()).add(file))
    const shared = [...homes].filter(([name, found]) => found.size > 1 && !PUBLIC_TWICE.has(name))
    expect(shared.map(([name, found]) => `${name}: ${[...found].join(', ')}`)).toEqual([])
  })

  it('are named in CONTRIBUTING with files that are there', () => {
    const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
    const named = [...text.matchAll(/`((?:src|test|scripts|web|docs|bench)\/[\w./-]+)`/g)].map(([, name = '']) => name)
    // These are what somebody adds who follows a list of it.
    const isExample = (name: string) => /kilo|echo|trim|\/a\/b/.test(name)
    expect(named.filter((name) => !isExample(name) && !existsSync(join(root, name)))).toEqual([])
  })
})

describe('the architecture test itself', () => {
  it('sees an import that points the wrong way', () => {
    expect(forbiddenImports('tokens/status.ts', ['engine/view.ts'])).toEqual([
      'tokens/status.ts may not import engine/view.ts',
    ])
    expect(forbiddenImports('engine/view.ts', ['tokens/status.ts'])).toEqual([])
  })

  it('sees one room of the engine import from a later one, and from its root', () => {
    const later = ['engine/plan/plan.ts', 'engine.ts']
    expect(forbiddenImports('engine/context/context.ts', [...later, 'engine/extract/files.ts'])).toEqual(
      later.map((name) => `engine/context/context.ts may not import ${name}`),
    )
  })

  it('sees one format import from another that is no form of a provider', () => {
    const allowed = ['formats/shared/json.ts', 'formats/anthropic/read.ts']
    expect(forbiddenImports('formats/claude-code/read.ts', [...allowed, 'formats/codex/read.ts'])).toEqual([
      'formats/claude-code/read.ts may not import formats/codex/read.ts',
    ])
  })

  it('sees files import each other in a ring, and takes types for no part of one', () => {
    const ring = new Map([
      ['a.ts', ['b.ts']],
      ['b.ts', ['c.ts']],
      ['c.ts', ['b.ts']],
    ])
    expect(importRing(ring)).toEqual(['b.ts', 'c.ts', 'b.ts'])
    expect(importRing(new Map([['a.ts', ['b.ts']]]))).toBeUndefined()
    const text = `import { a, type B } from './a.ts'\nimport type { C } from './c.ts'\nimport { type D } from './d.ts'`
    expect(valueImportsOf(text)).toEqual(['./a.ts'])
  })

  it('sees imports in all their forms', () => {
    const text = `import a from './a.ts'\nimport type { B } from "./b.ts"\nexport * from './c.ts'\nimport './d.ts'\nawait import('./e.ts')`
    expect(importsOf(text)).toEqual(['./a.ts', './b.ts', './c.ts', './d.ts', './e.ts'])
  })

  it('sees a pure folder touch the file system, the network, the clock or randomness', () => {
    const bad = [
      "import { readFileSync } from 'node:fs'",
      'const now = Date.now()',
      'const today = new Date()',
      'const dice = Math.random()',
      'await fetch(url)',
      'setTimeout(run, 1)',
      'const home = process.env.HOME',
      'performance.now()',
      'crypto.randomUUID()',
    ]
    for (const line of bad) expect(impurities('engine/x.ts', line), line).toHaveLength(1)
  })

  it('sees nothing in comments and texts', () => {
    expect(impurities('engine/x.ts', "// Date.now()\n/* fetch(url) */\nconst text = 'Math.random()'")).toEqual([])
  })
})

function within(file: string, name: string): string {
  if (!name.startsWith('.')) return name
  return relative(src, resolve(src, dirname(file), name)).replaceAll('\\', '/')
}
