import { parse } from 'unbash'
import { describe, expect, it } from 'vitest'
import { ScriptVariables } from '../../../../src/agent/permissions/shell/script-variables.ts'
import type { ExpansionContext } from '../../../../src/agent/permissions/shell/shell-word.ts'
import { literal, type TextShape } from '../../../../src/agent/permissions/shell/text-shape.ts'

const shown = (shape: TextShape) => shape.map((part) => ('text' in part ? part.text : `<${part.hole}>`)).join('')

function variablesOf(script: string): {
  shapes: (name: string) => string[]
  alias: (name: string) => string | undefined
} {
  const variables = new ScriptVariables()
  const { commands } = parse(script)
  for (const statement of commands) variables.collect(statement)
  for (const { command } of commands) if (command.type === 'Command') variables.pass(command)
  const context: ExpansionContext = {
    home: '/home/me',
    folder: literal('/shop'),
    variable: (name) => variables.shapes(name, context),
    output: () => ({ kind: 'unknown' }),
    dotGlob: false,
  }
  const shapes = (name: string) => variables.readings(() => variables.shapes(name, context).map(shown)).flat()
  return { shapes, alias: (name) => variables.alias(name) }
}

describe('a variable of a script', () => {
  it.each<[string, ...string[]]>([
    ['A=1', '1'],
    ['A=1; A=2', '1', '2'],
    ['A=1; B=2', '1'],
    ['B=2', '<any>'],
    ['A+=1', '<any>'],
    ['A=(1 2)', '<any>'],
    ['A[0]=1', '<any>'],
    ['A=1; A=$A', '1', '<any>'],
    ['A=$B; B=$A', '<any>'],
    ['A=$B$B; B=c', 'cc'],
    ['for A in 1 2; do x; done', '1', '2', ''],
    ['for A; do x; done', '<any>'],
    ['select A in 1 2; do x; done', '<any>'],
    ['if x; then A=1; fi', '1', ''],
    ['f() { A=1; }', '1', ''],
    ['A=1 x', '1', ''],
    ['A=1; unset A', '1', ''],
    ['A=1; unset B', '1'],
    ['export A=1', '1'],
    ['declare -r A=1', '1'],
    ['declare -n A=B', '<any>', 'B'],
    ['local -u A=b', '<any>', 'b'],
    [`A=1; x $\{A:=2}`, '1', '<any>'],
    [`A=1; x $\{A:-2}`, '1'],
    ['A=1; read A', '1', '<any>'],
    ['A=1; mapfile A', '1', '<any>'],
    ['A=1; readarray A', '1', '<any>'],
    ['A=1; getopts ab A', '1', '<any>'],
    ['A=1; printf -v A x', '1', '<any>'],
    ['A=1; let A', '1', '<any>'],
    // These set nothing.
    ['A=1; echo A', '1'],
    ['A=1; $X A', '1'],
  ])('%s', (script, ...shapes) => {
    expect(variablesOf(script).shapes('A')).toEqual(shapes)
  })

  it.each([
    ['?', '<digits>'],
    ['$', '<digits>'],
    ['!', '<digits>'],
    ['#', '<digits>'],
    ['?A', '<any>'],
    ['A#', '<any>'],
    ['HOME', '/home/me'],
    ['PWD', '/shop'],
    ['PATH', '<any>'],
  ])('$%s that no script sets is %s', (name, shape) => {
    expect(variablesOf('x').shapes(name)).toEqual([shape])
  })

  it('the home and the folder are as the script sets them', () => {
    const { shapes } = variablesOf('HOME=/a; PWD=/b')
    expect([shapes('HOME'), shapes('PWD')]).toEqual([['/a'], ['/b']])
  })

  it('the home and the folder are what they were before the script sets them', () => {
    const { shapes } = variablesOf('HOME=/a x; PWD=/b x')
    expect([shapes('HOME'), shapes('PWD')]).toEqual([
      ['/a', '/home/me'],
      ['/b', '/shop'],
    ])
  })

  it('has the same shapes each time it is asked for', () => {
    const { shapes } = variablesOf('A=1')
    expect([shapes('A'), shapes('A')]).toEqual([['1'], ['1']])
  })
})

describe('an alias of a script', () => {
  it.each([
    ["alias g='git push'", 'g', 'git push'],
    ['alias g=git', 'g', 'git'],
    ["alias a=b g-p='git push'", 'g-p', 'git push'],
    ["alias g-p='a=b\nc'", 'g-p', 'a=b\nc'],
    ['alias g', 'g', undefined],
    ["unalias g='git push'", 'g', undefined],
    ['g=git', 'g', undefined],
  ])('%s: %s', (script, name, text) => {
    expect(variablesOf(script).alias(name)).toBe(text)
  })
})
