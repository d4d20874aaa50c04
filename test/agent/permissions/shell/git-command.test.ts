import { expect, it } from 'vitest'
import { gitCommandAt } from '../../../../src/agent/permissions/shell/git-runs.ts'
import { textWord, UNKNOWN_WORDS } from '../../../../src/agent/permissions/shell/shell-word.ts'

it.each([
  ['push origin', 0],
  ['-C dir push', 2],
  ['-c user.name=me push', 2],
  ['--git-dir .git --work-tree . push', 4],
  ['--namespace n push', 2],
  ['--config-env a=B push', 2],
  ['--super-prefix p push', 2],
  ['--attr-source HEAD push', 2],
  ['--no-pager -p push', 2],
  ['--git-dir=.git push', 1],
  ['-Cx push', 1],
  ['--no-C push', 1],
  ['--version', 1],
])('git %s: its command is word %i', (words, at) => {
  expect(gitCommandAt(words.split(' ').map(textWord))).toBe(at)
})

it('a word that is not known may be the command', () => {
  expect(gitCommandAt([textWord('-p'), UNKNOWN_WORDS])).toBe(1)
})
