import { describe, expect, it } from 'vitest'
import {
  CHANGES_FILES,
  GIVEN_FILES,
  HAS_COMMANDS,
  INTERPRETERS,
  PATTERN_FIRST,
  READS_NO_FILES,
  RUNS_NOTHING,
  SHELLS,
} from '../../../../src/agent/permissions/shell/command-kinds.ts'

describe('a kind of commands', () => {
  it.each([
    ['reads no file', READS_NO_FILES, 'echo ps disown cd which type ls readlink uname hostname', 'cat git sh'],
    ['runs nothing', RUNS_NOTHING, 'echo hostname cat ag diff less more jq cargo', 'git sh sed xargs find-x env'],
    ['has commands of its own', HAS_COMMANDS, 'git aws gcloud vercel', 'ls sh'],
    ['changes files', CHANGES_FILES, 'rmdir tar shred', 'ls cat'],
    ['has its pattern first', PATTERN_FIRST, 'grep rg sed perl', 'cat ls'],
    ['is given files', GIVEN_FILES, 'sed patch strings go', 'ls sh'],
    ['is a shell', SHELLS, 'sh bash zsh fish', 'ssh node'],
  ])('%s', (_, kind, members, others) => {
    expect(members.split(' ').filter((name) => !kind.has(name))).toEqual([])
    expect(others.split(' ').filter((name) => kind.has(name))).toEqual([])
    expect(kind.has('')).toBe(false)
  })

  it.each(['python', 'python3', 'python3.12', 'pypy3', 'node', 'ruby', 'julia'])(
    '%s runs the code of a file',
    (name) => {
      expect(INTERPRETERS.test(name)).toBe(true)
    },
  )

  it.each(['ipython', 'nodemon', 'mynode', 'pythonx', 'sh'])('%s is not known to', (name) => {
    expect(INTERPRETERS.test(name)).toBe(false)
  })
})
