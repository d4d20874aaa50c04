import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { outcomeOf, runningCommand } from '../../../../src/engine/extract/calls/call-outcome.ts'
import type { JsonValue, ToolResultOutput } from '../../../../src/model/types.ts'
import { anyCharacter } from '../../../support/any-character.ts'
import { full } from '../../../support/full.ts'

const LONG = full ? 2_000_000 : 400_000

const said = (value: string): ToolResultOutput => ({ type: 'text', value })
const failed = (value: string): ToolResultOutput => ({ type: 'error-text', value })
const json = (value: JsonValue): ToolResultOutput => ({ type: 'json', value })
const gemini = (exit: number) =>
  `Command: npm test\nDirectory: (root)\nOutput: bad\nError: (none)\nExit Code: ${exit}\nSignal: (none)\nProcess Group PGID: 7`
const codex = (exit: number) => `Chunk ID: 1a\nWall time: 0.1 seconds\nProcess exited with code ${exit}\nOutput:\nbad`

describe('the exit status', () => {
  it.each<[agent: string, output: ToolResultOutput, exit: number | undefined]>([
    ['Claude Code, an error', failed('Exit code 2\nbad'), 2],
    [
      'Claude Code, a task',
      said('<status>completed</status>\n\n<exit_code>0</exit_code>\n\n<output>\nok\n</output>'),
      0,
    ],
    ['Codex, exec_command', said(codex(3)), 3],
    ['Codex, exec_command that worked', said(codex(0)), 0],
    ['Codex, still running', said('Chunk ID: 1a\nProcess running with session ID 7\nOutput:\nx'), undefined],
    ['Codex, shell', said('Exit code: 1\nWall time: 0 seconds\nOutput:\nbad'), 1],
    ['Codex, older', said('{"output":"bad","metadata":{"exit_code":2,"duration_seconds":0.1}}'), 2],
    ['Codex, older, as JSON', json({ output: 'bad', metadata: { exit_code: 0 } }), 0],
    ['pi', failed('bad\n\n\nCommand exited with code 127'), 127],
    ['OpenHands', said('bad\n[The command completed with exit code 2.]'), 2],
    ['OpenHands, all lines', said('x\n[Current working directory: /w]\n[Command finished with exit code 0]'), 0],
    ['Copilot CLI', said('bad\n<exited with exit code 1>'), 1],
    ['Copilot CLI, newer', said('ok\n<shellId: 12 completed with exit code 0>'), 0],
    ['Gemini CLI', said(gemini(1)), 1],
    ['Gemini CLI, as JSON', json({ output: gemini(0) }), 0],
    [
      'Gemini CLI 0.61',
      said('<untrusted_context>\nOutput: no\nExit Code: 2\nProcess Group PGID: 7\n</untrusted_context>'),
      2,
    ],
    ['opencode, metadata as JSON', json({ output: 'bad', metadata: { exit: 1 } }), 1],
    ['mini-SWE-agent', said('<returncode>1</returncode>\n<output>\nbad\n</output>'), 1],
    ['ours', said('bad\nexit code 4'), 4],
    ['an AI SDK tool', json({ stdout: 'bad', exitCode: 1 }), 1],
    ['a codec that knows', { ...said('bad'), providerOptions: { opencode: { exit: 1 } } }, 1],
    ['content', { type: 'content', value: [{ type: 'text', text: 'bad\nexit code 1' }] }, 1],
    ['nothing said', said('fine'), undefined],
    ['nothing at all', said(''), undefined],
    ['said inside the output', said('first\nProcess exited with code 1\nlast'), undefined],
    ['said in the line before the last', said('first\nexit code 1\nlast'), undefined],
    ['output that looks like it', said(`${codex(0)}\nexit code 9`), 0],
  ])('%s', (_, output, exit) => {
    const outcome = outcomeOf(output)
    expect(outcome.exit).toBe(exit)
    if (output.type !== 'error-text') expect(outcome.ok).toBe(exit === undefined ? undefined : exit === 0)
  })
})

describe('an outcome', () => {
  it.each<[string, ToolResultOutput]>([
    ['an error', failed('bad')],
    ['a JSON error', { type: 'error-json', value: { message: 'bad' } }],
    ['a denial', { type: 'execution-denied', reason: 'not allowed' }],
    ['a failure in JSON', json({ success: false, error: 'bad' })],
    ['an error of the editor of OpenHands', said('ERROR:\nNo replacement was performed.')],
  ])('%s is not ok', (_, output) => expect(outcomeOf(output)).toMatchObject({ ok: false }))

  it.each<[string, ToolResultOutput]>([
    ['a file that quotes an error', said('1: <tool_use_error>x</tool_use_error>')],
    ['a success in JSON', json({ success: true, ok: true, isError: false })],
    ['JSON that a program printed', said('{"name":"x","metadata":{"exit_code":2}}')],
    ['JSON that a program printed after a word', said('x {"output":"y","metadata":{"exit_code":2}}')],
    ['a list', json([1, 2])],
  ])('%s says nothing about it', (_, output) => expect(outcomeOf(output)).toEqual({ ok: undefined, errorLines: [] }))

  it.each<[string, JsonValue, string]>([
    ['its error', { success: false, error: 'it is bad', output: '' }, 'it is bad'],
    ['all of it, if no field has a text', { success: false, code: 7 }, '{"success":false,"code":7}'],
  ])('that failed in JSON quotes %s', (_, value, line) => expect(outcomeOf(json(value)).errorLines).toEqual([line]))

  it('that failed with a text in JSON quotes the text', () => {
    expect(outcomeOf({ type: 'error-json', value: 'error: bad' }).errorLines).toEqual(['error: bad'])
    expect(outcomeOf({ type: 'error-json', value: [1] }).errorLines).toEqual(['[1]'])
  })
})

describe('a command that was still running', () => {
  it.each([
    ['Codex', 'Chunk ID: 1a\nProcess running with session ID 41\nOutput:\n', '41'],
    ['Claude Code', 'Command running in background with ID: b1f. Output is being written to: x', 'b1f'],
    ['Copilot CLI', '<command started in background with shellId: s-2>', 's-2'],
  ])('has an id: %s', (_, text, id) => expect(runningCommand(said(text))).toBe(id))

  it('is not one that quotes such a line, at its end or within a line, or that failed', () => {
    const line = 'Process running with session ID 41'
    expect(runningCommand(said(`${'x\n'.repeat(400)}${line}`))).toBeUndefined()
    expect(runningCommand(said(`see ${line}`))).toBeUndefined()
    expect(runningCommand(failed(line))).toBeUndefined()
  })
})

describe('the error lines', () => {
  const lines = (text: string) => outcomeOf(failed(text)).errorLines

  it('are the first two and the last that name an error', () => {
    const text =
      'Exit code 1\nstart\na.ts(1,1): error TS1: x\nb.ts(1,1): error TS2: y\nmore\nc: error TS3\nd: error TS4\nend'
    expect(lines(text)).toEqual(['a.ts(1,1): error TS1: x', 'b.ts(1,1): error TS2: y', 'd: error TS4'])
  })

  it('have the last line of a Python traceback', () => {
    const text = 'Traceback (most recent call last):\n  File "a.py", line 1\n    raise Error("x")\nValueError: bad'
    expect(lines(text)).toEqual(['ValueError: bad'])
    expect(lines(`${text}\nbye`)).toEqual(['ValueError: bad'])
  })

  it.each([
    ['✗ adds numbers', '✗ adds numbers'],
    ['--- FAIL: TestX (0.1s)', '--- FAIL: TestX (0.1s)'],
    ['thread main panicked at a.rs:1', 'thread main panicked at a.rs:1'],
    ['\u001b[31mfatal\u001b[0m: not a git repository', 'fatal: not a git repository'],
    ['10%\r50%\rerror: disk full', 'error: disk full'],
    ['zsh: command not found: foo\r\nbye', 'zsh: command not found: foo'],
    ['0 errors\n✓ handles an error\nno failures\nerror: real', 'error: real'],
    ['npm error code 1\nsrc/a.ts: error TS1: x', 'src/a.ts: error TS1: x'],
    ['saved test-failed-1.png\n1 failed', '1 failed'],
    ['one\ntwo\nthree', 'three'],
    ['  \u001b[31m two words \u001b[0m ', 'two words'],
    ['src/a.go:3:5: unused variable x\nend', 'src/a.go:3:5: unused variable x'],
    ['src/a.go:3:5: warning: x\nunknown flag', 'unknown flag'],
    ['at b src/a.go:3:5: x\nunknown flag', 'unknown flag'],
    ['error: same\nerror: same\nerror: same\nerror: same', 'error: same'],
    ["it says: The user doesn't want to take this action", "it says: The user doesn't want to take this action"],
    ['<tool_use_error></tool_use_error>', undefined],
    [
      '<tool_use_error>String to replace not found in file.\nString: error\nfailed</tool_use_error>',
      'String to replace not found in file.',
    ],
    ["The user doesn't want to proceed with this tool use. To go on, the user said:\nuse b", 'The call was rejected.'],
  ])('%j', (text, line) => expect(lines(text)).toEqual(line === undefined ? [] : [line]))

  it('are there only when it failed', () => {
    expect(outcomeOf(said('error: x')).errorLines).toEqual([])
    expect(outcomeOf(said('error: x\nexit code 0')).errorLines).toEqual([])
    expect(outcomeOf(said('error: x\nexit code 1')).errorLines).toEqual(['error: x'])
    expect(lines('Exit code 1')).toEqual([])
  })

  it('keep surrogate pairs whole', () => {
    expect(lines(`error ${'😀'.repeat(200)}`)[0]).toBe(`error ${'😀'.repeat(97)}`)
  })

  it('are at most three of at most 200 characters, from any text, and the same each time', () => {
    const word = fc.constantFrom(
      'error',
      'FAIL',
      'Traceback (most recent call last):',
      '  x',
      '\u001b[31m',
      '\r',
      '\n',
      '😀',
    )
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.array(fc.oneof(word, fc.string())).map((all) => all.join('')),
    )
    fc.assert(
      fc.property(text, (value) => {
        const outcome = outcomeOf(failed(value))
        expect(outcome).toEqual(outcomeOf(failed(value)))
        expect(outcome.errorLines.length).toBeLessThanOrEqual(3)
        for (const line of outcome.errorLines) {
          expect(line.length).toBeLessThanOrEqual(200)
          expect(line).not.toContain('\n')
        }
      }),
      { numRuns: full ? 5_000 : 400 },
    )
  })

  it('of very long output take little time', () => {
    for (const piece of [
      'error ',
      'error\n',
      'a',
      '\n',
      '\u001b[',
      '\u001b]',
      '0 errors ',
      '{"metadata"',
      '[',
      ' ',
      '\r',
    ]) {
      const start = performance.now()
      outcomeOf(failed(piece.repeat(LONG / piece.length)))
      expect(performance.now() - start, piece).toBeLessThan(30_000)
    }
  })
})
