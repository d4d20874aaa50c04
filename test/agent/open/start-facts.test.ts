import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startFacts } from '../../../src/agent/open/start-facts.ts'

const NOW = Date.UTC(2026, 10, 18)

function repository() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'pith-git-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const env = { PATH: process.env.PATH ?? '', HOME: root, GIT_CONFIG_NOSYSTEM: '1' }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, env })
  git('init', '-q', '-b', 'topic')
  return { root, env, git }
}

it('a session begins with the date, the branch and the number of uncommitted files', async () => {
  const { root, env } = repository()
  expect(await startFacts(root, NOW, env)).toBe(
    'The session began on 2026-11-18; then the git branch was topic, with no uncommitted changes.',
  )
  writeFileSync(join(root, 'a.txt'), 'a')
  expect(await startFacts(root, NOW, env)).toContain('with 1 uncommitted file.')
  rmSync(join(root, '.git'), { recursive: true })
  expect(await startFacts(root, NOW, env)).toBe('The session began on 2026-11-18.')
})

it('git is not asked in a repository whose configuration names a program', async () => {
  const { root, env, git } = repository()
  const mark = join(root, 'ran')
  writeFileSync(join(root, 'a.txt'), 'a')
  git('add', 'a.txt')
  appendFileSync(join(root, '.git', 'config'), `[filter "x"]\n\tclean = touch ${mark}\n`)
  writeFileSync(join(root, '.gitattributes'), '* filter=x\n')
  writeFileSync(join(root, 'a.txt'), 'b')
  expect(await startFacts(root, NOW, env)).toBe('The session began on 2026-11-18; then the git branch was topic.')
  expect(existsSync(mark)).toBe(false)
})
