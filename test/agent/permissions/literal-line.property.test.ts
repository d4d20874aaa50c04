import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { readLine } from '../../../src/agent/permissions/commands/literal-line.ts'
import { full } from '../../support/full.ts'

const PIECES = [
  ...[
    'a',
    'b c',
    ' ',
    ' ',
    '\t',
    '-x',
    "'q r'",
    '"d e"',
    "'",
    '"',
    '\\',
    '\\ ',
    "\\'",
    '""',
    '=',
    ',',
    '.',
    '~',
    '~/a',
  ],
  ...[
    '#',
    ' # c',
    '!',
    '{',
    '}',
    '{a,b}',
    '{"a",b}',
    '[',
    ']',
    '[a]',
    '*',
    '?',
    ':',
    '%',
    '^',
    '@',
    '+',
    '1',
    '\r',
    '\\\n',
  ],
  ...[
    '; args ',
    ' && args ',
    '\nargs ',
    ' | args ',
    ' || args ',
    ' & args ',
    '(',
    ')',
    '$x',
    '$(args z)',
    '`args z`',
    '$',
  ],
  ...['>f', '2>&1', '>&2', '<<<x', '<<E', "'a\nb'", '"a\nb"', '"\\$x"', '"\\a"', 'CI=1 args ', 'é', '\u00a0', '\u2028'],
]

it('every command that bash runs is in the reading of its line, word by word', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'pith-line-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  let read = 0
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 9 }), (pieces) => {
      const line = `args ${pieces.join('')}`
      const reading = readLine(line, { workspace: folder, home: '/h' })
      if ('unread' in reading) return
      read++
      const known = reading.commands.map(({ words }) => JSON.stringify(words.slice(1).map(({ text }) => text)))
      // A function replaces the command and reports its arguments, each process to a file of its own. Globs stay as they are.
      const calls = mkdtempSync(join(folder, 'calls-'))
      const script = `set -f\nargs() { printf '%s\\0' "$#" "$@" >> '${calls}'/$BASHPID; }\n${line}\nwait`
      spawnSync('bash', ['-c', script], {
        cwd: folder,
        env: { HOME: '/h', PATH: '/bin', LANG: 'C.UTF-8' },
        stdio: 'ignore',
      })
      for (const name of readdirSync(calls))
        for (const call of callsIn(readFileSync(join(calls, name), 'utf8').replaceAll('/h', '~')))
          expect(known, line).toContain(JSON.stringify(call))
    }),
    { numRuns: full ? 4_000 : 400 },
  )
  expect(read).toBeGreaterThan(full ? 300 : 30)
})

/** The calls in a list of numbers of arguments and arguments. */
function callsIn(shown: string): string[][] {
  const texts = shown.split('\0')
  const calls: string[][] = []
  for (let at = 0; at < texts.length - 1; ) {
    const count = Number(texts[at])
    calls.push(texts.slice(at + 1, at + 1 + count))
    at += count + 1
  }
  return calls
}
