import { parse } from 'unbash'
import { describe, expect, it } from 'vitest'
import { redirectsOf } from '../../../../src/agent/permissions/shell/known-output.ts'
import type { ExpansionContext } from '../../../../src/agent/permissions/shell/shell-word.ts'
import { ANYTHING, literal } from '../../../../src/agent/permissions/shell/text-shape.ts'

const CONTEXT: ExpansionContext = {
  home: '/home/me',
  folder: literal('/shop'),
  variable: () => [ANYTHING],
  output: () => ({ kind: 'unknown' }),
  dotGlob: false,
}

function redirectsIn(script: string) {
  const command = parse(script).commands[0]?.command
  if (command?.type !== 'Command') throw new Error('This is no simple command')
  return redirectsOf(command.redirects, CONTEXT)
}

/** `>file` for one that is written, `<file` for one that is read. */
const filesOf = (script: string) =>
  redirectsIn(script).redirects.map(({ word, writes }) => `${writes ? '>' : '<'}${word.text ?? word.source}`)

describe('the files of redirections', () => {
  it.each<[string, ...string[]]>([
    ['x > a', '>a'],
    ['x >> a', '>a'],
    ['x >| a', '>a'],
    ['x &> a', '>a'],
    ['x 2> a', '>a'],
    ['x <> a', '>a'],
    ['x < a', '<a'],
    ['x < a > b 2>&1', '<a', '>b'],
    ['x > ~/a', '>/home/me/a'],
    ['x > "$A"', '>"$A"'],
    ['x 2>&1'],
    ['x >&-'],
    ['x >&2-'],
    ['x <&3'],
    ['x >& a1', '>a1'],
    ['x > 1a', '>1a'],
    ['x <& a', '<a'],
    ['x <<< a'],
    ['x << E\na\nE\n'],
  ])('%s', (script, ...files) => {
    expect(filesOf(script)).toEqual(files)
  })
})

describe('what redirections feed to a command', () => {
  it.each([
    ['x', undefined],
    ['x > a', undefined],
    ['x 2>&1', undefined],
    ['x < a', { kind: 'unknown' }],
    ['x <<< "a b"', { kind: 'text', text: 'a b\n' }],
    ['x <<< "$A"', { kind: 'unknown' }],
    ['x << E\na\nb\nE\n', { kind: 'text', text: 'a\nb\n' }],
    ['x < a <<< b', { kind: 'text', text: 'b\n' }],
    ['x <<< b < a', { kind: 'unknown' }],
  ])('%s: %j', (script, input) => {
    expect(redirectsIn(script).input).toEqual(input)
  })
})
