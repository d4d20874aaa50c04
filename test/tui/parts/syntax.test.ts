import { describe, expect, it } from 'vitest'
import { codeLines, languageOf } from '../../../src/tui/parts/syntax.ts'

/** The lines with each coloured part in brackets after its tone. */
function shown(text: string, language: string): string[] | undefined {
  return codeLines(text, language)?.map((line) =>
    line.map(([part, tone]) => (tone === 'plain' ? part : `${tone}[${part}]`)).join(''),
  )
}

describe('the colours of code', () => {
  it.each([
    ['ts', "const a = /['\"]/ // it's", ["keyword[const] a = string[/['\"]/] muted[// it's]"]],
    ['ts', 'let b = `x\n$1` / 2', ['keyword[let] b = string[`x]', 'string[$1`] / number[2]']],
    [
      'py',
      "def f(): # don't\n  '''a\n  b'''",
      ["keyword[def] f(): muted[# don't]", "  string['''a]", "string[  b''']"],
    ],
    ['rs', "fn a<'a>(b: &'a str) { 'c' }", ["keyword[fn] a<'a>(b: &'a str) { string['c'] }"]],
    ['sh', 'echo $# "a # b" # c', ['echo number[$#] string["a # b"] muted[# c]']],
    ['sql', "SELECT 'it''s' -- c", ["keyword[SELECT] string['it''s'] muted[-- c]"]],
    ['yaml', 'a: x#y # c', ['keyword[a]: x#y muted[# c]']],
    ['json', '{"a": "b", "c": 1}', ['{keyword["a"]: string["b"], keyword["c"]: number[1]}']],
    ['html', '<a href="b">don\'t</a>', ['keyword[<a] href=string["b"]keyword[>]don\'tkeyword[</a>]']],
    ['diff', '@@ -1 +1 @@\n-a\n+b\n c', ['muted[@@ -1 +1 @@]', 'removed[-a]', 'added[+b]', ' c']],
  ])('of %s', (language, text, lines) => {
    expect(shown(text, language)).toEqual(lines)
  })

  it('none for a language that is not known, and for texts that nobody reads', () => {
    expect(codeLines('const a', 'brainfuck')).toBeUndefined()
    expect(codeLines('a'.repeat(2_000), 'ts')).toBeUndefined()
    expect(codeLines('a\n'.repeat(40_000), 'ts')).toBeUndefined()
  })

  it('the language is that of the fence, or of the name of the file', () => {
    expect(['ts', 'js {1,3}', 'src/a.test.tsx', '/x/Dockerfile', 'C:\\a\\b.PY', ''].map(languageOf)).toEqual([
      'ts',
      'js',
      'tsx',
      'dockerfile',
      'py',
      '',
    ])
  })

  it('keep every character', () => {
    const text = '/* a\n\n"b\\" `c` \'d\' $e <f> # 1e5 \t\n'
    for (const language of ['ts', 'py', 'rs', 'sh', 'sql', 'yaml', 'json', 'html', 'css', 'go', 'php', 'toml'])
      expect(
        codeLines(text, language)
          ?.map((line) => line.map(([part]) => part).join(''))
          .join('\n'),
      ).toBe(text)
  })
})
