import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { writeMarkets } from '../../scripts/write-markets.mjs'
import { ROOT } from '../package/loaded-modules.ts'

/** The folder of the markets, and an agent with a home of its own that reads it. */
async function market(name: 'claude-code' | 'codex') {
  const installed = inject('installed')[name]
  if ('problem' in installed) throw new Error(installed.problem)
  const root = mkdtempSync(join(tmpdir(), 'pith-markets-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }))
  const [folder, home] = [join(root, 'markets'), join(root, 'home')]
  mkdirSync(join(home, '.codex'), { recursive: true })
  await writeMarkets(folder, JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')))
  const env = {
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: home,
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(installed.program, args, { cwd: home, env, encoding: 'utf8' })
    return { status, output: stdout + stderr }
  }
  return { folder, run }
}

it('Claude Code finds nothing wrong with the marketplace, and installs its skill, hooks and server', async () => {
  const { folder, run } = await market('claude-code')
  expect(run('plugin', 'validate', folder, '--strict')).toMatchObject({ status: 0 })
  expect(run('plugin', 'validate', join(folder, 'plugins', 'claude-code'), '--strict')).toMatchObject({ status: 0 })
  expect(run('plugin', 'marketplace', 'add', folder)).toMatchObject({ status: 0 })
  expect(run('plugin', 'install', 'pith@pith')).toMatchObject({ status: 0 })
  const { output } = run('plugin', 'details', 'pith@pith')
  expect(output).toMatch(/Skills \(1\)\s+pith/)
  expect(output).toContain('Hooks (4)')
  expect(output).toMatch(/MCP servers \(1\)\s+pith/)
})

it('Codex adds the marketplace, installs the plug-in and has its server', async () => {
  const { folder, run } = await market('codex')
  expect(run('plugin', 'marketplace', 'add', folder)).toMatchObject({ status: 0 })
  expect(run('plugin', 'add', 'pith@pith')).toMatchObject({ status: 0 })
  expect(run('plugin', 'list').output).toMatch(/pith@pith\s+installed, enabled/)
  expect(run('mcp', 'list').output).toMatch(/pith\s+pith\s+mcp/)
})
