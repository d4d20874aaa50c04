import { describe, expect, it } from 'vitest'
import { allowsCommand, plainWords } from '../../../src/agent/permissions/command-pattern.ts'

const allowed = (pattern: string, command: string) => allowsCommand(pattern, plainWords(command) ?? []).allows

describe('a pattern of a command', () => {
  it.each([
    ['npm test', 'npm test', true],
    ['npm test', '  npm   test\n', true],
    ['npm test', 'npm "test"', true],
    ['npm test', 'npm', false],
    ['npm test', 'npm test x', false],
    ['npm test', 'npm testx', false],
    ['git diff *', 'git diff', true],
    ['git diff *', 'git diff a b', true],
    ['git diff *', 'git push', false],
    ['git d*', 'git diff', true],
    ['git d*', 'git add', false],
    // A wildcard that is quoted is only itself.
    ["git '*'", "git '*'", true],
    ["git '*'", 'git diff', false],
    ["git 'd*'", 'git diff', false],
    // The shell would make other words of these.
    ['ls *', 'ls *.ts', false],
    // They would allow every command.
    ['*', 'npm test', false],
    ['np* test', 'npm test', false],
    ['', 'npm test', false],
    ['npm test', '', false],
    ['npm test; x', 'npm test; x', false],
  ])('%s allows %j: %s', (pattern, command, is) => {
    expect(allowed(pattern, command)).toBe(is)
  })
})

describe('the words of a plain command', () => {
  it.each([
    ['git commit -m "a b"', ['git', 'commit', '-m', 'a b']],
    ["a 'b \"c'", ['a', 'b "c']],
    ['\n a\t', ['a']],
  ])('%j are %j', (command, words) => {
    expect(plainWords(command)?.map(({ text }) => text)).toEqual(words)
  })

  it.each([
    '',
    ' \n',
    'a; b',
    'a && b',
    'a | b',
    'a > b',
    'a $b',
    'a "$b"',
    'a `b`',
    "a 'b",
    'a "b',
    'a\nb',
    'a # b',
    'a\\ b',
  ])('are not known for %j', (command) => {
    expect(plainWords(command)).toBeUndefined()
  })
})

it('a command with a very long blank is compared without a stall', () => {
  expect(allowed('ls *', `ls${' '.repeat(400_000)}a`)).toBe(true)
})
