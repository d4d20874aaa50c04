import { describe, expect, it } from 'vitest'
import { knownOutput, printedText } from '../../../../src/agent/permissions/shell/known-output.ts'
import { readScript } from '../../../../src/agent/permissions/shell/read-script.ts'
import type { ShellInput, ShellRun } from '../../../../src/agent/permissions/shell/shell-word.ts'

const runOf = (command: string): ShellRun => {
  const run = readScript(command, { workspace: '/shop', home: '/home/me' }).runs.at(-1)
  if (run === undefined) throw new Error('no command')
  return run
}
const text = (text: string): ShellInput => ({ kind: 'text', text })
const UNKNOWN: ShellInput = { kind: 'unknown' }

describe('what a command prints', () => {
  it.each<[string, ShellInput]>([
    ['echo', text('\n')],
    ['echo a  b', text('a b\n')],
    ['echo -n a', text('a\n')],
    ['echo -e -n', text('\n')],
    ['echo -x a', text('-x a\n')],
    ['echo a -n', text('a -n\n')],
    ["echo 'a\\n'", UNKNOWN],
    ['echo $X', UNKNOWN],
    ['echo -n "$X"', UNKNOWN],
    ["printf 'a'", text('a')],
    ["printf 'a\\n\\tb'", text('a\n\tb')],
    ["printf '\\x41'", UNKNOWN],
    ["printf '%s' a", text('a')],
    ["printf '<%s>\\n' a b", text('<a>\n<b>\n')],
    ["printf '%s' 'a$&'", text('a$&')],
    ["printf '%s%s' a b", UNKNOWN],
    ["printf '%d' 1", UNKNOWN],
    ['printf "%s" "$X"', UNKNOWN],
    ['printf "$X"', UNKNOWN],
    ['printf', UNKNOWN],
    ['cat <<< a', text('a\n')],
    ['cat - <<< a', text('a\n')],
    ['cat f <<< a', UNKNOWN],
    ['cat - f <<< a', UNKNOWN],
    ['cat', { kind: 'none' }],
    ['pwd', text('/shop')],
    ['cd sub; pwd', UNKNOWN],
    ['date', UNKNOWN],
    ['/bin/echo a', text('a\n')],
  ])('%s', (command, output) => {
    expect(knownOutput(runOf(command))).toEqual(output)
  })

  it('does not come out if it goes to a file', () => {
    const run = runOf('echo a > f')
    expect(knownOutput(run)).toEqual({ kind: 'none' })
    expect(printedText(run)).toEqual(text('a\n'))
    expect(knownOutput(runOf('cat < f'))).toEqual(UNKNOWN)
  })
})

describe('the paths that find names', () => {
  const found = (command: string) => {
    const output = knownOutput(runOf(command))
    if (output.kind !== 'lines') return output.kind
    return output.shapes.map((shape) => shape.map((part) => ('text' in part ? part.text : `<${part.hole}>`)).join(''))
  }

  it.each<[string, string[]]>([
    ['find', ['/shop', '/shop/<any>']],
    ['find .', ['/shop', '/shop/<any>']],
    ['find a /b', ['/shop/a', '/shop/a/<any>', '/b', '/b/<any>']],
    ['find a -type f', ['/shop/a', '/shop/a/<any>']],
    ['find a \\( -type f \\)', ['/shop/a', '/shop/a/<any>']],
    ["find a -name '*.ts'", ['/shop/a/<segment>.ts', '/shop/a/<any>/<segment>.ts']],
    ['find -name b', ['/shop/b', '/shop/<any>/b']],
    ['find a -name b -o -name c', ['/shop/a', '/shop/a/<any>']],
    ['find a -name b -or -name c', ['/shop/a', '/shop/a/<any>']],
    ['find a ! -name b', ['/shop/a', '/shop/a/<any>']],
    ['find a -not -name b', ['/shop/a', '/shop/a/<any>']],
    ['find a -name b , -name c', ['/shop/a', '/shop/a/<any>']],
    ['find a -name "$X"', ['/shop/a', '/shop/a/<any>']],
    ['find a -name', ['/shop/a', '/shop/a/<any>']],
    ['find a -name b -newer c-o', ['/shop/a/b', '/shop/a/<any>/b']],
  ])('%s', (command, paths) => {
    expect(found(command)).toEqual(paths)
  })
})
