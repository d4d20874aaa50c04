import { describe, expect, it } from 'vitest'
import { SEARCHES, searchedWords } from '../../../../src/agent/permissions/shell/folders-read.ts'
import { givenWords } from '../../../../src/agent/permissions/shell/given-options.ts'
import { textWord, UNKNOWN_WORDS } from '../../../../src/agent/permissions/shell/shell-word.ts'

/** The files and folders that a search names. */
function searched(command: string): string {
  const [name = '', ...words] = command.split(' ')
  const table = SEARCHES.get(name)
  if (table === undefined) throw new Error(`${name} is no search`)
  const given = givenWords(words.map(textWord), table)
  return searchedWords(given, table)
    .map(({ text }) => text)
    .join(' ')
}

describe('the files of a search', () => {
  it.each([
    ['grep x a b', 'a b'],
    ['egrep x a', 'a'],
    ['fgrep x a', 'a'],
    ['zgrep x a', 'a'],
    ['rg x a', 'a'],
    ['ag x a', 'a'],
    ['grep x', ''],
    ['grep -rn x a', 'a'],
  ])('%s: those after the pattern, %s', (command, files) => {
    expect(searched(command)).toBe(files)
  })

  it.each([
    ['grep -e x a', 'a'],
    ['grep -f x a', 'a'],
    ['grep --regexp x a', 'a'],
    ['grep --regexp=x a', 'a'],
    ['grep --file x a', 'a'],
    ['rg -e x a', 'a'],
    ['rg -f x a', 'a'],
    ['rg --regexp x a', 'a'],
    ['rg --file x a', 'a'],
    ['ag -g x a', 'a'],
  ])('%s: all operands, as an option gives the pattern', (command, files) => {
    expect(searched(command)).toBe(files)
  })

  it.each([
    ...[...'ABCmdDX'].map((letter) => `grep -${letter} 1`),
    'grep --after-context 1',
    'grep --exclude-from 1',
    'grep --directories 1',
    'grep --devices 1',
    'grep --group-separator 1',
    ...[...'ABCmgtTjMrEd'].map((letter) => `rg -${letter} 1`),
    'rg --max-filesize 1',
    'rg --iglob 1',
    'rg --type 1',
    'rg --engine 1',
    'rg --pre 1',
    'rg --pre-glob 1',
    'rg --dfa-size-limit 1',
    'rg --regex-size-limit 1',
    'rg --generate 1',
    ...[...'GmpW'].map((letter) => `ag -${letter} x`),
    'ag --file-search-regex x',
    'ag --color-path x',
    'ag --color-line-number x',
    ...['-A', '-B', '-C', '--after', '--before', '--context'].map((option) => `ag ${option} 3`),
  ])('%s: the value of an option is not a file', (start) => {
    expect(searched(`${start} pattern a`)).toBe('a')
  })

  it('an option of ag whose value may be left out takes only a number', () => {
    expect(searched('ag -C pattern a')).toBe('a')
    expect(searched('ag --before pattern a')).toBe('a')
  })

  it('are all operands if the text does not say which of them is the pattern', () => {
    const table = SEARCHES.get('grep')
    if (table === undefined) throw new Error('grep is a search')
    const given = givenWords([textWord('-e'), UNKNOWN_WORDS, textWord('x'), textWord('a')], table)
    expect(searchedWords(given, table)).toEqual(given.operands)
    expect(searchedWords({ options: [], operands: [textWord('x')], isSure: false }, table)).toHaveLength(1)
  })
})

it.each([
  ['grep', 'f file exclude-from'],
  ['rg', 'f file ignore-file pre hostname-bin'],
  ['ag', 'p path-to-ignore pager'],
])('%s reads or runs the files that these options name: %s', (name, options) => {
  expect(SEARCHES.get(name)?.files.join(' ')).toBe(options)
})
