import { expect, it } from 'vitest'
import { nameOf, textWord, UNKNOWN_WORDS } from '../../../../src/agent/permissions/shell/shell-word.ts'

it('a command is named without its folder', () => {
  expect(nameOf({ words: [textWord('git'), textWord('a/b')] })).toBe('git')
  expect(nameOf({ words: [textWord('/usr/local/bin/git')] })).toBe('git')
  expect(nameOf({ words: [UNKNOWN_WORDS] })).toBeUndefined()
  expect(nameOf({ words: [] })).toBeUndefined()
})
