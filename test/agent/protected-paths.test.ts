import { expect, it } from 'vitest'
import { isProtected } from '../../src/agent/protected-paths.ts'

it.each([
  '.git/hooks/pre-commit',
  '.git/hooks',
  '.git/config',
  '.git',
  'packages/a/.git/config',
  '.husky/pre-push',
  '.vscode/tasks.json',
  '.VSCode/Launch.json',
  '.envrc',
  'deep/down/.envrc',
  '.mcp.json',
  '.pith/config.yaml',
])('%s runs code later, so it is protected', (path) => {
  expect(isProtected(path)).toBe(true)
})

it.each([
  '.gitignore',
  '.git/HEAD',
  '.vscode/settings.json',
  '.env',
  'envrc',
  'src/config',
  'hooks/pre-commit',
  '.pith',
])('%s is an ordinary path', (path) => {
  expect(isProtected(path)).toBe(false)
})
