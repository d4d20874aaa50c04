import { parseSync } from 'rolldown/utils'
import { describe, expect, it } from 'vitest'
import { mutantsOf, mutatedText } from '../../../scripts/mutate/mutants.ts'

describe('the mutants of a text', () => {
  it.each([
    ['if (a < b) go()', ['if (a <= b) go()', 'if (a >= b) go()', 'if (true) go()', 'if (false) go()', 'if (a < b) ;']],
    ['const a = b === c', ['const a = b !== c']],
    ['const a = (b /* || */ || c) && d', ['const a = (b /* || */ && c) && d', 'const a = (b /* || */ || c) || d']],
    ['const a = !b', ['const a = b']],
    ['const a = b ? c : d', ['const a = true ? c : d', 'const a = false ? c : d', 'const a = !(b) ? c : d']],
    ['const a = b - 1', ['const a = b + 1', 'const a = b - 2', 'const a = b - 0']],
    ["const a = 'b' + c", ["const a = '' + c"]],
    ['const a = b?.c', ['const a = b.c']],
    ['const a = b?.[c]', ['const a = b[c]']],
    ['const a = b?.(c)', ['const a = b(c)']],
    ['const a = b ?? c', ['const a = b']],
    ['const a = b.some(c)', ['const a = b.every(c)']],
    ['const a = b.toString()', []],
    ['const a = b.filter(c)', ['const a = b']],
    ['function a() { return b.map(c) }', ['function a() { return [] }']],
    ['const a = (b) => b', ['const a = (b) => undefined']],
    ['const a = [b]', ['const a = []']],
    ['a += b', ['a -= b', ';']],
    ['const a = /^b$/', ['const a = /b$/', 'const a = /^b/']],
    ['const a = true as const', ['const a = false as const']],
  ])('%s', (text, expected) => {
    expect(texts(text).toSorted()).toEqual(expected.toSorted())
  })

  it.each([
    "import { a } from './a.ts'",
    "export { a } from './a.ts'",
    `type A = 'b' | -1 | \`c\${string}\``,
    "interface A { b: 'c'; d?: 1 }",
    "function a(b: 'c', d: readonly [1]): asserts b is 'c' {}",
    "const { a: b } = c as { a: 'd' }",
    'const a = b[c]?.d',
    'const a = b[c] ?? 0',
    'const a = b.at(c)?.d',
  ])('nothing in types, imports and the defaults of elements: %s', (text) => {
    expect(texts(text)).toEqual([])
  })

  it('is one change that can still be parsed', () => {
    const text = `export function a(b: number[]) {
      for (const c of b) {
        if (!c) continue
        d('c', -c)
      }
      return b?.length
    }`
    expect(texts(text).length).toBeGreaterThan(8)
    for (const changed of texts(text)) expect(parseSync('a.ts', changed).errors, changed).toEqual([])
  })

  it('says where it is and what the changed line looks like', () => {
    const [mutant] = mutantsOf('src/a.ts', 'const a = 1n\n  const b =   c && d\n')
    expect(mutant).toMatchObject({ file: 'src/a.ts', line: 2, column: 17, original: '&&', mutated: '||' })
    expect(mutant).toMatchObject({ before: 'const b = c && d', after: 'const b = c || d' })
  })
})

function texts(text: string): string[] {
  return mutantsOf('a.ts', text).map((mutant) => mutatedText(text, mutant))
}
