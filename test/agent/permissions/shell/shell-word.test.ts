import { describe, expect, it } from 'vitest'
import { readScript } from '../../../../src/agent/permissions/shell/read-script.ts'
import type { ShellWord } from '../../../../src/agent/permissions/shell/shell-word.ts'
import type { TextShape } from '../../../../src/agent/permissions/shell/text-shape.ts'

const shown = (shape: TextShape) => shape.map((part) => ('text' in part ? part.text : `<${part.hole}>`)).join('')

/** A word as its shapes; `…` if it may be several words or none. */
const wordText = ({ shapes, isMany }: ShellWord) => `${shapes.map(shown).join('|')}${isMany ? '…' : ''}`

/** The words after the command `x` in a script. */
function wordsOf(script: string): string[] {
  const { runs } = readScript(script, { workspace: '/shop', home: '/home/me' })
  return (
    runs
      .find(({ words }) => words[0]?.text === 'x')
      ?.words.slice(1)
      .map(wordText) ?? []
  )
}

describe('a word of a command', () => {
  it.each<[string, ...string[]]>([
    [`x a'b'"c"`, 'abc'],
    [`x $'a\\tb' $"a"`, 'a\tb', 'a'],
    ['x a~ "~/a"', 'a~', '~/a'],
    ['x ~ ~/a ~/"a b"', '/home/me', '/home/me/a', '/home/me/a b'],
    ['x ~+/a ~root/a', '/shop/a', '<any>/a'],
    ['x <(y) $((1+2))', '/dev/fd/63', '<digits>'],
    ['x A=b --a=$B', 'A=b', '--a=<any>…'],
    ['x A=$B', 'A=<any>…'],
    ['x {a} {}', '{a}', '{}'],
  ])('%s', (script, ...words) => {
    expect(wordsOf(script)).toEqual(words)
  })

  it('knows its text only if it has one shape without a hole', () => {
    const { runs } = readScript('x a "$A" {a,b} $(echo c)', { workspace: '/shop', home: '/home/me' })
    const words = runs.find(({ words }) => words[0]?.text === 'x')?.words ?? []
    expect(words.map(({ text }) => text)).toEqual(['x', 'a', undefined, undefined, 'c'])
    expect(words.map(({ source }) => source)).toEqual(['x', 'a', '"$A"', '{a,b}', '$(echo c)'])
  })
})

describe('a variable', () => {
  it.each<[string, ...string[]]>([
    ['x $A', '<any>…'],
    ['x "$A"', '<any>'],
    ['x "$A$B"', '<any><any>'],
    ['A=b; x $A "-$A-"', 'b', '-b-'],
    ["A='b  c'; x $A", 'b', 'c'],
    ["A='b\tc\nd'; x $A", 'b', 'c', 'd'],
    ['A=\'b  c\'; x "$A"', 'b  c'],
    ["A=' '; x $A y", 'y'],
    ['A=; x $A y', 'y'],
    ['A=1; A=2; x "$A"', '1|2'],
    ['A=$A; x "$A"', '<any>'],
    ['A=$B; B=c; x "$A" "$A"', 'c', 'c'],
    ['for A in b c; do x "$A"; done', 'b|c'],
    ['for A; do x "$A"; done', '<any>'],
    ['A=b; select A in c; do x "$A"; done', 'b|<any>'],
    ['A=b; read A; x "$A"', 'b|<any>'],
    ['A=b; read -r B A; x "$A"', 'b|<any>'],
    ['A=b; printf -v A c; x "$A"', 'b|<any>'],
    ['A=b; mapfile A; x "$A"', 'b|<any>'],
    ['A=b; readarray A; x "$A"', 'b|<any>'],
    ['A=b; getopts c A; x "$A"', 'b|<any>'],
    ['A=b; let A; x "$A"', 'b|<any>'],
    ['A=b; echo A; x "$A"', 'b'],
    ['A=b; A+=c; x "$A"', 'b|<any>'],
    ['A=b; A[1]=c; x "$A"', 'b|<any>'],
    ['A=b; A=(c); x "$A"', 'b|<any>'],
    ['x $HOME/a $PWD/a', '/home/me/a', '/shop/a'],
    ['HOME=/b; x $HOME/a', '/b/a'],
    ['cd sub && x $PWD ~+', '/shop/sub', '/shop/sub'],
    ['x "$?" "$$" "$!" "$#"', '<digits>', '<digits>', '<digits>', '<digits>'],
    ['x "$?A" "$_"', '<digits>A', '<any>'],
    ['x $@', '<any>…'],
    ['x "$@"', '<any>…'],
    ['x "a$@"', 'a<any>…'],
    ['x "$*"', '<any>'],
  ])('%s', (script, ...words) => {
    expect(wordsOf(script)).toEqual(words)
  })
})

describe('an expansion of a variable', () => {
  it.each<[string, ...string[]]>([
    [`x "$\{A[@]}"`, '<any>…'],
    [`x "$\{A[0]}"`, '<any>'],
    [`x "$\{@}"`, '<any>…'],
    [`x "$\{A:-b}"`, '<any>|b'],
    [`x $\{A:-b}`, '<any>|b…'],
    [`x "$\{A-b}" "$\{A:=b}" "$\{A=b}"`, '<any>|b', '<any>|b', '<any>|b'],
    [`x "$\{A:?b}" "$\{A?b}"`, '<any>', '<any>'],
    [`x "$\{A:+b}" "$\{A+b}"`, '|b', '|b'],
    [`A=c; x "$\{A:-b}" "$\{A:?b}" "$\{A:+b}" "$\{A}"`, 'c|b', '<any>', '|b', 'c'],
    [`A=c; x "$\{#A}" "$\{!A}" "$\{A%b}" "$\{A/b/c}" "$\{A:1}"`, '<digits>', '<any>', '<any>', '<any>', '<any>'],
  ])('%s', (script, ...words) => {
    expect(wordsOf(script)).toEqual(words)
  })
})

describe('a pattern', () => {
  it.each<[string, ...string[]]>([
    ['x *', '|<one-not-dot><segment>…'],
    ['x a*', 'a|a<one><segment>…'],
    ['x a/*', 'a/|a/<one-not-dot><segment>…'],
    ['x "a/"*', 'a/|a/<one-not-dot><segment>…'],
    ['x ? .? [ab]', '<one-not-dot>…', '.<one>…', '<one-not-dot>…'],
    ['x +(a)', '<segment>…'],
    ['x "*"', '*'],
    ['shopt -s dotglob; x *', '|<one><segment>…'],
    ['GLOBIGNORE=a; x ?', '<one>…'],
    ['x {a,b} {a,b}c c{a,b,}', 'a|b…', 'ac|bc…', 'ca|cb|c…'],
    ['x {1..3} {a,$B} {a,"b c"} {a,b*} {a,{b,c}}', '<any>…', '<any>…', '<any>…', '<any>…', '<any>…'],
  ])('%s', (script, ...words) => {
    expect(wordsOf(script)).toEqual(words)
  })

  it('of more than 32 texts may be anything, quoted too', () => {
    const [few = ''] = wordsOf(`x ${'{a,b}'.repeat(5)}`)
    expect(few.split('|')).toHaveLength(32)
    expect(wordsOf(`x ${'{a,b}'.repeat(6)}`)).toEqual(['<any>…'])
    const quoted = (times: number) => wordsOf(`for A in b c; do x "${'$A'.repeat(times)}"; done`)
    expect(quoted(5)[0]?.split('|')).toHaveLength(32)
    expect(quoted(6)).toEqual(['<any>'])
  })
})

describe('the output of a command in a word', () => {
  it.each<[string, ...string[]]>([
    ['x $(echo a)', 'a'],
    ['x `echo a`', 'a'],
    ['x $(echo a b)', 'a', 'b'],
    ['x "$(echo a b)"', 'a b'],
    [`x "$(printf 'a\\n\\n')"`, 'a'],
    [`x "$(printf '\\na')"`, '\na'],
    ['x $(y)', '<any>…'],
    ['x "$(y)"', '<any>'],
    ['x $()', '<any>…'],
    ['x "$(echo a; echo b)"', '<any>'],
    ['x "$(echo a | y)"', '<any>'],
    ['x "$(find sub -name b)"', '/shop/sub/b|/shop/sub/<any>/b'],
  ])('%s', (script, ...words) => {
    expect(wordsOf(script)).toEqual(words)
  })
})
