import { describe, expect, it } from 'vitest'
import { verify } from '../../../../src/engine/compact/verify/verify.ts'

const texts = [
  'please make the parser in src/parse.ts faster, and never touch the public API',
  JSON.stringify({ path: '/home/ann/shop/src/parse.ts', text: 'export function parseLine(text: string) {\n}' }),
  'error: expected 3 arguments, got 2',
]

const invented = (summary: string) => verify(summary, { texts }).invented.map(({ kind, text }) => `${kind} ${text}`)

describe('verify', () => {
  it('reports nothing about a summary that names only what its source has', () => {
    const summary = 'The user said "never touch the public API". `parseLine` in **src/parse.ts:12** was made faster.'
    expect(verify(summary, { texts })).toEqual({ invented: [], missing: [], checked: 3 })
  })

  it('reports a path, an identifier and a quotation that the source does not have', () => {
    const summary = 'Changed `src/lexer.ts` and parseFile(); the user said "please delete the old parser first".'
    expect(invented(summary)).toEqual([
      'path src/lexer.ts',
      'identifier parseFile()',
      'quotation please delete the old parser first',
    ])
  })

  it('checks the names in a fenced block', () => {
    expect(invented('```ts\nparseLine(text)\nskipBlanks(text)\n```')).toEqual(['identifier skipBlanks'])
  })

  it('counts and reports a name once, however often and in which notation it occurs', () => {
    const result = verify('`tokenCache`, tokenCache, `tokenCache.get()` and tokenCache()', { texts })
    expect(result.invented).toEqual([{ kind: 'identifier', text: 'tokenCache' }])
  })

  it('does not report placeholders', () => {
    expect(
      invented('Run `foo` on `path/to/file.ts` or `<name>`, see https://example.com/docs and `your-key`.'),
    ).toEqual([])
  })

  it('does not report names that everybody knows', () => {
    expect(invented('It runs on Node.js with TypeScript and PostgreSQL, the code is on GitHub.')).toEqual([])
  })

  it('takes the facts of the index as part of the source', () => {
    const facts = { modifiedFiles: ['src/cache.ts'], openTodos: ['measure parseAll'] }
    expect(verify('Changed src/cache.ts; parseAll is to be measured', { texts, facts })).toMatchObject({
      invented: [],
      missing: [],
    })
  })

  it('reports what the index has and the summary does not mention', () => {
    const facts = {
      modifiedFiles: ['src/parse.ts', 'src/cache.ts'],
      constraints: ['never touch the public API'],
      openTodos: ['publish the release notes'],
      unresolvedErrors: ['error: expected 3 arguments, got 2'],
    }
    const summary = 'Made src/parse.ts faster. It still fails: expected 3 arguments, got 2.'
    expect(verify(summary, { texts, facts }).missing).toEqual([
      { kind: 'file', text: 'src/cache.ts' },
      { kind: 'constraint', text: 'never touch the public API' },
      { kind: 'todo', text: 'publish the release notes' },
    ])
  })

  it('takes facts that are left undefined', () => {
    expect(verify('text', { texts: [], facts: { constraints: undefined } }).missing).toEqual([])
  })
})
