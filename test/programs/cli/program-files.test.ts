import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'

const MAIN = inject('program')

/** Prints what the program loads, when it ends. */
const HOOK = `
  import { registerHooks } from 'node:module'
  const seen = []
  registerHooks({ load(url, context, next) {
    seen.push(url)
    return next(url, context)
  } })
  process.on('exit', () => process.stderr.write('\\nLOADED ' + JSON.stringify(seen) + '\\n'))`

/** The files of the program that a command line loads. */
function filesOf(...args: readonly string[]): string[] {
  const home = mkdtempSync(join(tmpdir(), 'pith-home-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const hook = `data:text/javascript,${encodeURIComponent(HOOK)}`
  const { stderr } = spawnSync(process.execPath, ['--import', hook, MAIN, ...args], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home },
    encoding: 'utf8',
  })
  const loaded: string[] = JSON.parse(/^LOADED (.*)$/m.exec(stderr)?.[1] ?? '[]')
  return loaded.filter((url) => url.includes('/dist/cli/'))
}

it('no two files of the program need each other before they run: their order would decide what works', () => {
  const folder = dirname(MAIN)
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'))
  const imports = new Map(names.map((name) => [name, importsIn(readFileSync(join(folder, name), 'utf8'))]))
  expect([...imports.values()].flat().length).toBeGreaterThan(names.length)
  expect(names.filter((name) => reached(name, imports).has(name))).toEqual([])
})

function importsIn(code: string): string[] {
  return Array.from(code.matchAll(/(?:from|import)"\.\/([^"]+)"/g), ([, name = '']) => name)
}

function reached(start: string, imports: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set(imports.get(start))
  for (const name of found) for (const next of imports.get(name) ?? []) found.add(next)
  return found
}

it.each([
  ['--version', 6],
  ['nonsense', 6],
  ['compact /does/not/exist', 25],
  ['compact example', 32],
  ['inspect example', 25],
])('pith %s loads at most %d files', (line, most) => {
  const files = filesOf(...line.split(' '))
  expect(files.length).toBeGreaterThan(2)
  expect(files.length).toBeLessThanOrEqual(most)
})
