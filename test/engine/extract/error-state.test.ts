import { describe, expect, it } from 'vitest'
import { errorState, errorStates, openErrors } from '../../../src/engine/extract/error-state.ts'
import { emptyIndex } from '../../../src/model/facts/log-index.ts'
import type { ErrorFact, FileFact, Index } from '../../../src/model/types.ts'

const error: ErrorFact = { text: 'src/parse/lexer.ts(3,1): error TS2304: Cannot find name', seq: 10, command: 'tsc' }
const index = (more: Partial<Index>): Index => ({ ...emptyIndex, errors: [error], ...more })
const ran = (seq: number, ok?: boolean) => ({
  commands: [{ command: 'tsc', seq, runs: 2, ...(ok === undefined ? {} : { ok }) }],
})
const wrote = (path: string, modified?: number): { files: FileFact[] } => ({
  files: [{ path, access: 'modified', seq: 99, ...(modified === undefined ? {} : { modified }) }],
})

describe('an error', () => {
  it('is open while nothing speaks against it', () => {
    expect(errorState(error, index({}))).toEqual({ kind: 'open' })
    expect(openErrors(index({}))).toEqual([error])
  })

  it('is over when the same command passed later', () => {
    expect(errorState(error, index(ran(12, true)))).toEqual({ kind: 'passed', seq: 12 })
    expect(openErrors(index(ran(12, true)))).toEqual([])
  })

  it.each([
    ['failed again', ran(12, false)],
    ['ended in a way that nobody knows', ran(12)],
    ['passed only before', ran(8, true)],
  ])('is open when its command %s', (_, more) => {
    expect(errorState(error, index(more))).toEqual({ kind: 'open' })
  })

  it('is not over because another command passed', () => {
    const commands = [{ command: 'ls', seq: 12, runs: 1, ok: true }]
    expect(errorState(error, index({ commands }))).toEqual({ kind: 'open' })
  })

  it.each(['src/parse/lexer.ts', '/home/me/app/src/parse/lexer.ts'])(
    'may be over when the file that it names was modified later: %s',
    (path) => {
      expect(errorState(error, index(wrote(path, 11)))).toEqual({ kind: 'changed', seq: 11, path })
    },
  )

  it.each([
    './src/parse/lexer.ts has no end.',
    'There is no end in src/parse/lexer.ts.',
    'No end: src/parse/lexer.ts...',
  ])('names its file also at the edge of a sentence: %s', (text) => {
    const path = '/w/src/parse/lexer.ts'
    expect(errorState({ ...error, text }, index(wrote(path, 11)))).toEqual({ kind: 'changed', seq: 11, path })
  })

  it('that names two changed files is credited to the first, and one in which nothing looks like a name to none', () => {
    const files = [...wrote('b.ts', 12).files, ...wrote('a.ts', 11).files]
    expect(errorState({ ...error, text: 'a.ts and b.ts differ' }, index({ files }))).toMatchObject({ path: 'a.ts' })
    expect(errorState({ ...error, text: '✗' }, index({ files }))).toEqual({ kind: 'open' })
  })

  it('of no command is over only when its file was changed', () => {
    const failed = { text: 'no match', seq: 10, path: 'src/a.ts' }
    expect(errorState(failed, index(ran(12, true)))).toEqual({ kind: 'open' })
    expect(errorState(failed, index(wrote('src/a.ts', 11)))).toMatchObject({ kind: 'changed' })
  })

  it('is over since the newest of the runs that include it, in whatever order they are listed', () => {
    const passed = (command: string, seq: number) => ({ command, seq, runs: 1, ok: true })
    const failed = { text: 'it failed', seq: 10, command: 'go test ./pkg' }
    const commands = [passed('go test ./...', 14), passed('go vet ./... && go test ./...', 16), passed('go test', 12)]
    expect(errorState(failed, index({ commands }))).toMatchObject({ kind: 'fixed', seq: 16 })
    const same = [passed('go test ./pkg | tail -3', 14), passed('go test ./pkg', 12)]
    expect(errorState(failed, index({ commands: same }))).toEqual({ kind: 'passed', seq: 14 })
  })

  it('is open when that file was modified before it, or another one after it', () => {
    expect(errorState(error, index(wrote('src/parse/lexer.ts', 9)))).toEqual({ kind: 'open' })
    expect(errorState(error, index(wrote('src/parse/parser.ts', 11)))).toEqual({ kind: 'open' })
    expect(errorState(error, index({ files: [{ path: 'src/parse/lexer.ts', access: 'read', seq: 11 }] }))).toEqual({
      kind: 'open',
    })
  })

  it('is not closed by a file of the same name in another folder', () => {
    expect(errorState(error, index(wrote('old/lexer.ts', 11)))).toEqual({ kind: 'open' })
  })

  it('is not closed by a file whose name only ends like one that it names', () => {
    expect(errorState(error, index(wrote('xer.ts', 11)))).toEqual({ kind: 'open' })
    expect(errorState(error, index(wrote('r', 11)))).toEqual({ kind: 'open' })
  })

  it.each<[string, string, string, string]>([
    ['the same check, more of its output', 'npm test 2>&1 | tail -5', 'cd /repo && npm test', 'passed'],
    ['all tests, not only some', 'go test ./pkg -run TestA', 'go vet ./... && go test ./...', 'fixed'],
    ['the tests of the folder around it', 'npx vitest run test/a/b.test.ts', 'npx vitest run test/a', 'fixed'],
    ['it with other options', 'cargo build', 'cargo build --release', 'fixed'],
    ['the tests of all packages', 'npm test -w web', 'npm test', 'fixed'],
    ['the same packages', 'npm test -w web -w api -- a.test.ts', 'npm test -w web -w api', 'fixed'],
  ])('is over when a command ran %s', (_, command, later, kind) => {
    const failed = { ...error, text: 'it failed', command }
    const commands = [{ command: later, seq: 12, runs: 1, ok: true }]
    expect(errorState(failed, index({ commands }))).toMatchObject({ kind, seq: 12 })
  })

  it.each([
    ['another program', 'npm test', 'npx vitest run src'],
    ['another file', 'npx playwright test a.spec.ts', 'npx playwright test b.spec.ts'],
    ['a part of it', 'go test ./...', 'go test ./pkg'],
    ['tests of some names', 'go test ./pkg', 'go test ./pkg -run TestA'],
    ['another package', 'pnpm --filter a test', 'pnpm --filter b test'],
    ['it in a folder that is not shown', 'cd "$A" && go test ./pkg', 'cd "$B" && go test ./...'],
    ['one of its files', 'npx vitest run a.test.ts b.test.ts', 'npx vitest run b.test.ts c.test.ts'],
    ['another subcommand of the program', 'gh api a', 'gh api b'],
  ])('is open when a command passed that ran %s', (_, command, later) => {
    const commands = [{ command: later, seq: 12, runs: 1, ok: true }]
    expect(errorState({ text: 'it failed', seq: 10, command }, index({ commands }))).toEqual({ kind: 'open' })
  })

  it('is open when its command passed in another folder', () => {
    const failed = { text: 'it failed', seq: 10, command: 'npm test', folder: '/w/api' }
    const commands = (folder: string) => [{ command: 'npm test', seq: 12, runs: 1, ok: true, folder }]
    expect(errorState(failed, index({ commands: commands('/w/web') }))).toEqual({ kind: 'open' })
    expect(errorState(failed, index({ commands: commands('/w/api') }))).toEqual({ kind: 'passed', seq: 12 })
  })

  it.each(['ls src', 'cat b.ts', 'npm run lint', 'git status', 'echo npm test'])(
    'is open though %s passed',
    (command) => {
      const commands = [{ command, seq: 12, runs: 1, ok: true }]
      for (const failed of ['npm test', 'cat a.ts', 'git push']) {
        expect(errorState({ text: 'no such table', seq: 10, command: failed }, index({ commands }))).toEqual({
          kind: 'open',
        })
      }
    },
  )

  it('is over when the file that it names was deleted or set back later', () => {
    for (const access of ['deleted', 'reverted'] as const) {
      const files = [{ path: 'src/parse/lexer.ts', access, seq: 11, [access]: 11 }]
      expect(errorState(error, index({ files }))).toMatchObject({ kind: 'changed', seq: 11 })
    }
  })
})

it('all errors of an index have the state that each has alone', () => {
  const old: ErrorFact = { text: 'it failed', seq: 2, command: 'go test ./a' }
  const commands = [
    { command: 'go test ./...', seq: 5, runs: 1, ok: true },
    { command: 'tsc', seq: 12, runs: 2, ok: true },
  ]
  const all = index({ errors: [error, old], commands, ...wrote('src/parse/lexer.ts', 11) })
  expect(errorStates(all)).toEqual([
    { error, state: { kind: 'passed', seq: 12 } },
    { error: old, state: { kind: 'fixed', seq: 5, command: 'go test ./...' } },
  ])
  for (const { error: one, state } of errorStates(all)) expect(errorState(one, all)).toEqual(state)
})
