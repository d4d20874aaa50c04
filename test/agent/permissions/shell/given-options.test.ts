import { expect, it } from 'vitest'
import { givenWords, isGiven } from '../../../../src/agent/permissions/shell/given-options.ts'
import { readScript } from '../../../../src/agent/permissions/shell/read-script.ts'

const TABLE = { letters: 'ef', names: ['regexp', 'file'], numbers: ['C', 'context'] }

/** The words after a command: options with their values, `|`, operands, and `?` if it is not sure. */
function shown(command: string): string {
  const [run] = readScript(command, { workspace: '/shop', home: '/home/me' }).runs
  const { options, operands, isSure } = givenWords(run?.words.slice(1) ?? [], TABLE)
  const given = options.map(({ name, value }) => (value === undefined ? name : `${name}=${value.text ?? '<open>'}`))
  return [...given, '|', ...operands.map(({ source }) => source), ...(isSure ? [] : ['?'])].join(' ')
}

it.each([
  ['x a b', '| a b'],
  ['x -rn a', 'r n | a'],
  ['x -e a b', 'e=a | b'],
  ['x -re a b', 'r e=a | b'],
  ['x -rea b', 'r e=a | b'],
  ['x -eA b', 'e=A | b'],
  ['x -e -f b', 'e=-f | b'],
  ['x -e -- b', 'e=-- | b'],
  ['x -e', '|'],
  ['x --file a b', 'file=a | b'],
  ['x --file=a b', 'file=a | b'],
  ['x --file= b', 'file= | b'],
  ['x --other a', 'other | a'],
  ['x --other=a b', 'other=a | b'],
  ['x -r -- -e a', 'r | -e a'],
  ['x - a', '| - a'],
  ['x -C 3 a', 'C=3 | a'],
  ['x -C3 a', 'C=3 | a'],
  ['x -C a', '| a'],
  ['x --context 3 a', 'context=3 | a'],
  ['x --file="$X" a', 'file=<open> | a'],
  ['x -e"$X" a', 'e=<open> | a'],
  ['x --other=*.{a,b} c', 'other=<open> | c'],
  ['x -C "$X" a', 'C=<open> | "$X" a ?'],
  ['x -e $X a', 'e=<open> | $X a ?'],
  ['x -r"$X" a', 'r | a ?'],
  ['x --fi a b', 'fi | a b ?'],
  ['x -{r,e} a', 'r e | a ?'],
])('%s: %s', (command, words) => {
  expect(shown(command)).toBe(words)
})

it('the beginning of a long name means that name, a letter only itself', () => {
  expect(isGiven([{ name: 'rec' }], 'recursive')).toBe(true)
  expect(isGiven([{ name: 'recursively' }], 'recursive')).toBe(false)
  expect(isGiven([{ name: 'r' }], 'recursive')).toBe(false)
  expect(isGiven([{ name: 'r' }], 'r')).toBe(true)
})
