import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const FOLDER = resolve(import.meta.dirname, '..', '..', 'examples')
const FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.(ts|mjs|sh)$/.test(file) && !file.endsWith('scripted-run.mjs') && !file.startsWith('eval/'))
const COMPACTORS = readdirSync(join(FOLDER, 'eval')).filter((file) => /\.(ts|mjs)$/.test(file))
const README = readFileSync(join(FOLDER, 'README.md'), 'utf8')

describe.each(FILES)('the example %s', (file) => {
  const text = readFileSync(join(FOLDER, file), 'utf8')
  const [, besides = '', packages = '', command = ''] =
    text.match(
      /In an empty folder with (?:the copy of )?this file(?: in the package)?( and [\w.-]+)?: npm install (\S+(?: \S+)*) && (.+)/,
    ) ?? []

  // A version of a package that only another one uses is pinned where the newest would not fit.
  const installed = packages
    .split(' ')
    .filter((name) => !name.startsWith('@langchain/langgraph-sdk@'))
    .map((name) => name.replace(/(?<=.)@.*/, ''))
    .toSorted()

  it('says how to run it, with the packages and files that it imports', () => {
    const names = [...text.matchAll(/ from '([^']+)'/g)].map(([, name = '']) => name)
    const ofOthers = names.filter((name) => !/^(\.|node:|pith)/.test(name)).map(packageOf)
    expect(installed).toEqual([...new Set(['pith', ...ofOthers])].toSorted())
    expect(command).toMatch(new RegExp(`(^| )(node|bash) ${basename(file)}$`))
    const own = names.filter((name) => /^\.(?!.*\/src\/)/.test(name)).map((name) => ` and ${basename(name)}`)
    expect(besides).toBe(own.join(''))
  })

  it('names the copy in the package if this file would not run elsewhere', () => {
    expect(text.includes('with the copy of this file in the package: ')).toBe(/\.\.\/src\//.test(text))
  })

  it('is in the list of README.md, with its packages', () => {
    const row = README.split('\n').find((line) => line.includes(`](${file})`)) ?? ''
    const cell = row.split('|')[3] ?? ''
    const named = [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name)
    expect(['pith', ...named].toSorted()).toEqual(installed)
  })
})

describe.each(COMPACTORS)('the example eval/%s', (file) => {
  it('says how to run it, with the packages that it imports', () => {
    const text = readFileSync(join(FOLDER, 'eval', file), 'utf8')
    const [head = ''] = text.split('*/')
    expect(head).toMatch(/\bpith eval --compactor \S|\bnode \S/)
    const names = [...text.matchAll(/ from '([^']+)'/g)].map(([, name = '']) => name)
    for (const name of names.filter((name) => !/^(\.|node:|pith)/.test(name)))
      expect(head).toMatch(new RegExp(`npm install .*${packageOf(name)}`))
  })
})

function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
}
