import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ownProgram } from '../../../src/cli/executable/own-program.ts'

const programs = join('/home', 'ada', '.local', 'share', 'pith', 'program')
const main = join(programs, '0.3.0-1a2b', 'dist', 'cli', 'main.js')

describe('the single executable', () => {
  it('runs a file of the package that comes first, as Node does, and leaves it its arguments', () => {
    expect(ownProgram([main, 'mcp', '--log', 'x'], programs)).toEqual({
      flags: [],
      file: main,
      args: ['mcp', '--log', 'x'],
    })
    expect(ownProgram(['--optimize-for-size', main, 'gateway'], programs)).toEqual({
      flags: ['--optimize-for-size'],
      file: main,
      args: ['gateway'],
    })
  })

  it.each([
    { words: [] },
    { words: ['--version'] },
    { words: ['compact', main] },
    { words: [join('/home', 'ada', 'session.jsonl')] },
    { words: [programs] },
    { words: [join(programs, '..', 'program-of-others', 'main.js')] },
    { words: ['0.3.0-1a2b/dist/cli/main.js'] },
  ])('takes $words for the words of a user', ({ words }) => {
    expect(ownProgram(words, programs)).toBeUndefined()
  })
})
