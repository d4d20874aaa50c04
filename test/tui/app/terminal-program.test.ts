import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { editedInFile, editorOf, wantsTerminal } from '../../../src/tui/app/terminal-program.ts'

describe('commands that need the terminal', () => {
  it.each([
    'vim a.ts',
    'nvim',
    'less log',
    'LANG=C man ls',
    'git commit',
    'git commit --amend',
    'git rebase -i HEAD~3',
    'git add -p',
    'python3',
    'sudo ls',
    'code --wait a.ts',
  ])('%s gets it', (command) => expect(wantsTerminal(command, { EDITOR: 'code --wait' })).toBe(true))

  it.each([
    'ls',
    'git commit -m x',
    'git commit -am x',
    'python3 a.py',
    'man ls | cat',
    'vimdiff2',
    'echo vim',
    'git rebase main',
  ])('%s does not', (command) => expect(wantsTerminal(command, {})).toBe(false))
})

it('a text is edited in a file, and stays if the editor fails', async () => {
  const seen: string[] = []
  const edit = (exit: number) => async (file: string) => {
    seen.push(readFileSync(file, 'utf8'))
    writeFileSync(file, 'changed\n\n')
    return exit
  }
  expect(await editedInFile('before', edit(0))).toBe('changed\n')
  expect(await editedInFile('before', edit(1))).toBeUndefined()
  expect(seen).toEqual(['before', 'before'])
  expect(editorOf({ VISUAL: 'a', EDITOR: 'b' }) + editorOf({ EDITOR: 'b' }) + editorOf({})).toBe('abvi')
})
