import { describe, expect, it } from 'vitest'
import { isProgram, namesProgram, ruleProgram } from '../../../../src/agent/permissions/shell/runs-forbidden.ts'
import { textWord, wordOf } from '../../../../src/agent/permissions/shell/shell-word.ts'
import { ANYTHING, literal } from '../../../../src/agent/permissions/shell/text-shape.ts'

const PLACE = { workspace: '/shop/repo', home: '/home/me' }
const HERE = [literal('/shop/repo')]

function program(text: string) {
  const found = ruleProgram({ type: 'word', text, open: true }, PLACE)
  if (found === undefined) throw new Error(`${text} is a bare name`)
  return found
}

it('a bare name in a rule names no file', () => {
  expect(ruleProgram({ type: 'word', text: 'deploy.sh', open: true }, PLACE)).toBeUndefined()
})

describe('a program that a rule names by its path', () => {
  it.each([
    ['./deploy.sh', './deploy.sh', 'yes'],
    ['./deploy.sh', '/shop/repo/deploy.sh', 'yes'],
    ['./deploy.sh', './other.sh', undefined],
    ['./deploy.sh', './scripts/deploy.sh', undefined],
    ['scripts/*.sh', 'scripts/a.sh', 'yes'],
    ['scripts/*.sh', 'scripts/a.py', undefined],
    ['/opt/bin/deploy', '/opt/bin/deploy', 'yes'],
    // Another name of the workspace, through a link.
    ['./deploy.sh', '/mnt/repo/deploy.sh', 'yes'],
    ['/shop/repo/deploy.sh', '/mnt/repo/deploy.sh', 'yes'],
    ['./deploy.sh', '/mnt/other/deploy.sh', undefined],
    ['/opt/repo/deploy.sh', '/mnt/repo/deploy.sh', undefined],
    ['/deploy.sh', '/mnt/repo/deploy.sh', undefined],
    ['./deploy.sh', '../repo/deploy.sh', 'yes'],
    ['./deploy.sh', '/proc/self/cwd/deploy.sh', 'yes'],
  ])('%s is %s: %s', (rule, command, answer) => {
    expect(isProgram(program(rule), textWord(command), HERE)).toBe(answer)
  })

  it.each([
    ['./deploy.sh', 'deploy.sh', 'maybe'],
    ['./scripts/deploy.sh', 'deploy.sh', 'maybe'],
    ['bin/*', 'deploy', 'maybe'],
    ['./deploy.sh', 'other.sh', undefined],
    // These are found in the system, whatever the search path says.
    ['bin/*', 'cat', undefined],
  ])('%s may be the bare name %s: %s', (rule, command, answer) => {
    expect(isProgram(program(rule), textWord(command), HERE)).toBe(answer)
  })

  it('is only a guess if the command or its folder is not sure', () => {
    const deploy = program('./deploy.sh')
    const folders = [literal('/shop/repo'), literal('/tmp')]
    expect(isProgram(deploy, textWord('./deploy.sh'), folders)).toBe('maybe')
    expect(isProgram(deploy, textWord('./deploy.sh'), [literal('/tmp')])).toBeUndefined()
    expect(isProgram(deploy, wordOf([literal('./a'), literal('./deploy.sh')], './{a,deploy.sh}'), HERE)).toBe('maybe')
    expect(isProgram(deploy, wordOf([ANYTHING], '"$X"'), HERE)).toBe('maybe')
  })

  it('is named by a path from any of the folders', () => {
    const deploy = program('./deploy.sh')
    expect(namesProgram(deploy, literal('deploy.sh'), [literal('/tmp'), literal('/shop/repo')])).toBe(true)
    expect(namesProgram(deploy, literal('deploy.sh'), [literal('/mnt/repo')])).toBe(false)
  })
})
