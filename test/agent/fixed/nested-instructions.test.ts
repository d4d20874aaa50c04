import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { nestedInstructions } from '../../../src/agent/open/open-agent.ts'

it('finds files of instructions below the workspace, those on the way apart, and none of other people', () => {
  const workspace = mkdtempSync(join(tmpdir(), 'pith-nested-'))
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }))
  const paths = ['AGENTS.md', 'a/AGENTS.md', 'a/CLAUDE.md', 'a/b/CLAUDE.md', 'a/c/AGENTS.md', 'd/AGENTS.md']
  for (const path of [...paths, 'node_modules/x/AGENTS.md', '.cache/AGENTS.md', '1/2/3/4/5/AGENTS.md']) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    writeFileSync(join(workspace, path), 'text')
  }
  expect(nestedInstructions(workspace, join(workspace, 'a/b'))).toEqual({
    onTheWay: ['a/AGENTS.md', 'a/b/CLAUDE.md'],
    elsewhere: ['a/c/AGENTS.md', 'd/AGENTS.md'],
  })
  expect(nestedInstructions(workspace, workspace).onTheWay).toEqual([])
  expect(nestedInstructions(workspace, tmpdir()).onTheWay).toEqual([])
})
