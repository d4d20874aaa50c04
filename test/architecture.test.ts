import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { forbiddenImports, importRing, importsOf, impurities, valueImportsOf } from './support/architecture.ts'

const root = resolve(import.meta.dirname, '..')
const src = join(root, 'src')

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replaceAll('\\', '/'))
  .toSorted()

describe('the architecture', () => {
  it.each(files)('%s imports only what stands left of it', (file) => {
    const text = readFileSync(join(src, file), 'utf8')
    const imports = importsOf(text).map((name) => within(file, name))
    expect(forbiddenImports(file, imports)).toEqual([])
  })

  it('has no files that import each other in a ring', () => {
    const imports = files.map((file) => {
      const names = valueImportsOf(readFileSync(join(src, file), 'utf8'))
      return [file, names.map((name) => within(file, name))] as const
    })
    expect(importRing(new Map(imports))).toBeUndefined()
  })

  it.each(files)('%s is pure if its folder is', (file) => {
    expect(impurities(file, readFileSync(join(src, file), 'utf8'))).toEqual([])
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
    const later = ['engine/plan/plan.ts', 'engine/index.ts']
    expect(forbiddenImports('engine/view/view-of.ts', [...later, 'engine/facts/files.ts'])).toEqual(
      later.map((name) => `engine/view/view-of.ts may not import ${name}`),
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
