import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { allowsCommand, plainWords } from '../../../src/agent/permissions/command-pattern.ts'
import { full } from '../../support/full.ts'

const special = fc.constantFrom(
  ...[
    ';',
    '&&',
    '||',
    '|',
    '&',
    '\n',
    '$(',
    ')',
    '`',
    '>',
    '<',
    '<(',
    '<<',
    '<<<',
    `$\{`,
    '$x',
    '\r',
    '\\',
    '(',
    '2>&1',
  ],
)
const harmless = fc.constantFrom(
  'npm',
  'test',
  'a b',
  "'q'",
  '"d"',
  ' ',
  '\t',
  'x=1',
  '--flag',
  '-rf',
  '.',
  '~',
  '!',
  '{',
  '#',
)
const pattern = fc.constantFrom('npm test', 'npm *', 'npm test *', 'npm * x', 'git diff *')

it('a pattern never matches a command with an operator, an expansion or a redirection outside of quotes', () => {
  fc.assert(
    fc.property(
      pattern,
      fc.array(harmless, { maxLength: 4 }),
      special,
      fc.array(harmless, { maxLength: 4 }),
      (pattern, before, sign, after) => {
        const inside = `npm test ${before.join('')}${sign}${after.join('')}`
        // A sign between single quotes is only a character.
        const quotes = (inside.slice(0, inside.indexOf(sign)).match(/['"]/g) ?? []).length
        fc.pre(quotes % 2 === 0 && inside.replace(/[\n\r\t ]+$/, '').includes(sign))
        expect(allowsCommand(pattern, inside)).toBe(false)
      },
    ),
    { numRuns: full ? 3_000 : 600 },
  )
})

it('a command that matches runs as one command with exactly the words that were compared', () => {
  const any = fc.string({
    unit: fc.oneof(harmless, special, fc.constantFrom('*', '?', '[a]', '"', "'", '#', '=', ',')),
    maxLength: 8,
  })
  let matched = 0
  fc.assert(
    fc.property(any, (rest) => {
      const command = `args ${rest}`
      if (!allowsCommand('args *', command)) return
      matched++
      // Bash itself shows how it reads the line: a function replaces the command and prints its arguments.
      const script = `args() { printf '%s\\0' "$@"; }\n${command}`
      const shown = execFileSync('bash', ['-c', script], { env: { HOME: '/h', PATH: process.env.PATH } }).toString()
      const words = (plainWords(command) ?? []).slice(1).map(({ text }) => (text === '~' ? '/h' : text))
      const tilde = (text: string) => text.replace(/^~(?=\/|$)/, '/h').replace(/=~(?=\/|$)/, '=/h')
      if (words.length > 0) expect(shown.split('\0').slice(0, -1).map(tilde)).toEqual(words.map(tilde))
    }),
    { numRuns: full ? 400 : 100 },
  )
  expect(matched).toBeGreaterThan(20)
})

it('a long command is decided at once', () => {
  expect(allowsCommand('npm test *', `npm test ${'x '.repeat(200_000)}`)).toBe(true)
  expect(allowsCommand('npm test *', `npm test ${"'x' ".repeat(200_000)};`)).toBe(false)
  expect(allowsCommand(`npm ${'*a'.repeat(50)}b`, `npm ${'a'.repeat(20_000)}`)).toBe(false)
})
