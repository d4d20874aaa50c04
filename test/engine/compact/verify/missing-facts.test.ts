import { describe, expect, it } from 'vitest'
import { namesOf } from '../../../../src/engine/compact/verify/source-index.ts'
import { missingFacts, type SummaryFacts } from '../../../../src/engine/compact/verify/verify.ts'

const missing = (summary: string, facts: SummaryFacts) =>
  missingFacts(summary, namesOf(summary), facts).map(({ text }) => text)

describe('a modified file', () => {
  it.each([
    ['by its name, when no other has it', 'changed a.ts', ['/shop/src/a.ts']],
    ['by its last two segments', 'changed src/a.ts and lib/a.ts', ['/shop/src/a.ts', '/shop/lib/a.ts']],
    ['in a list in braces', 'changed src/{a,b}.ts', ['src/a.ts', 'src/b.ts']],
    ['twice in the index', 'changed a.ts', ['src/a.ts', 'src/a.ts']],
  ])('is mentioned %s', (_, summary, modifiedFiles) => {
    expect(missing(summary, { modifiedFiles })).toEqual([])
  })

  it('is missing when only a longer name occurs', () => {
    expect(missing('changed data.ts', { modifiedFiles: ['src/a.ts'] })).toEqual(['src/a.ts'])
  })

  it('is missing when only another file of that name is mentioned', () => {
    expect(missing('changed src/a.ts', { modifiedFiles: ['src/a.ts', 'lib/a.ts'] })).toEqual(['lib/a.ts'])
  })
})

describe('a constraint, a to-do or an error', () => {
  const constraints = ['never change the database schema without a migration']

  it('is mentioned by most of its words, in another form and order', () => {
    expect(missing('The schema of the database must not be changed without migrations.', { constraints })).toEqual([])
  })

  it('is missing when few of its words occur', () => {
    expect(missing('The database is PostgreSQL.', { constraints })).toEqual(constraints)
  })

  it('is missing when its words are scattered over the summary', () => {
    const filler = 'other words about quite different matters entirely '.repeat(10)
    const words = ['change', 'database', 'schema', 'migration', 'without']
    expect(missing(words.join(` ${filler} `), { constraints })).toEqual(constraints)
    const twice = words.map((word) => `${word} ${word}`)
    expect(missing(twice.join(` ${filler} `), { constraints })).toEqual(constraints)
  })

  it('that is long is mentioned by its beginning', () => {
    const log = Array.from({ length: 50 }, (_, i) => `line${i}`).join(' ')
    const said = `the build prints warnings about unused imports, duplicated exports, circular modules, wrong paths: ${log}`
    const summary = 'The build prints warnings: unused imports, duplicated exports, circular modules, wrong paths.'
    expect(missing(summary, { constraints: [said] })).toEqual([])
  })

  it('of an error is mentioned by the line that says what is wrong', () => {
    const unresolvedErrors = ['exit code 1\nrunning 200 checks of all packages\nTypeError: cannot read length of null']
    expect(missing('It stops with a TypeError (cannot read length of null).', { unresolvedErrors })).toEqual([])
    expect(missing('All is well.', { unresolvedErrors })).toEqual(unresolvedErrors)
  })

  it('without a significant word is never missing', () => {
    expect(missing('All is well.', { openTodos: ['do it', ''] })).toEqual([])
  })
})
