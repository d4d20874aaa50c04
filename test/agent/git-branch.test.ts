import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { gitBranch } from '../../src/tui/local/local-session.ts'

it('the branch is that of the repository, or of the worktree; none if none is checked out', () => {
  const root = mkdtempSync(join(tmpdir(), 'pith-branch-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  expect(gitBranch(root)).toBeUndefined()
  mkdirSync(join(root, '.git', 'worktrees', 'side'), { recursive: true })
  writeFileSync(join(root, '.git', 'HEAD'), 'ref: refs/heads/fix/upload\n')
  expect(gitBranch(root)).toBe('fix/upload')
  const side = join(root, 'side')
  mkdirSync(side)
  writeFileSync(join(side, '.git'), `gitdir: ${join(root, '.git', 'worktrees', 'side')}\n`)
  writeFileSync(join(root, '.git', 'worktrees', 'side', 'HEAD'), 'ref: refs/heads/side\n')
  expect(gitBranch(side)).toBe('side')
  writeFileSync(join(side, '.git'), 'gitdir: ../.git/worktrees/side\n')
  expect(gitBranch(side)).toBe('side')
  writeFileSync(join(side, '.git'), 'not a gitdir: ../.git/worktrees/side\n')
  expect(gitBranch(side)).toBeUndefined()
  writeFileSync(join(root, '.git', 'HEAD'), '0123456789abcdef\n')
  expect(gitBranch(root)).toBeUndefined()
})
