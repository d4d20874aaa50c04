import { expect, it } from 'vitest'
import { isProtected } from '../../src/agent/protected-paths.ts'

it.each([
  '.git/hooks/pre-commit',
  '.git/hooks',
  '.git/config',
  '.git',
  'packages/a/.git/config',
  '.husky/pre-push',
  '.git/info/attributes',
  '.vscode/settings.json',
  '.VSCode/Launch.json',
  '.idea/workspace.xml',
  '.claude/settings.json',
  '.codex/config.toml',
  '.gemini/settings.json',
  '.qwen/settings.json',
  '.opencode/plugin/a.ts',
  '.pi/settings.json',
  '.cursor/mcp.json',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  '.github/workflows/ci.yml',
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
  '.git/info/sparse-checkout',
  '.github/CODEOWNERS',
  '.env',
  'envrc',
  'src/config',
  'hooks/pre-commit',
  '.pith',
])('%s is an ordinary path', (path) => {
  expect(isProtected(path)).toBe(false)
})
