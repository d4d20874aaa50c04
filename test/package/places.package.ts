import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { copySources, manifest, offline } from './packed.ts'

/** They start PostgreSQL, shells, servers and other users' processes, or read the sources by their path. */
const FILES = [
  'test/agent/compaction/hooks.test.ts',
  'test/agent/mcp/mcp-servers.test.ts',
  'test/cli/output/terminal-text.test.ts',
  'test/docs/http-page.test.ts',
  'test/package/weight.test.ts',
  'test/programs/cli/handoff.test.ts',
  'test/programs/cli/usage.test.ts',
  'test/programs/tui/screens.test.ts',
  'test/programs/wrap/wrap.test.ts',
  'test/store/postgres/check-postgres.test.ts',
  'test/store/sqlite/read-only.test.ts',
]

const why = offline()
if (why !== undefined) console.warn(`npm's registry cannot be reached, so nothing can be installed: ${why}`)

it.runIf(why === undefined)(
  '`npm start` and `npm test` work in a private folder with spaces and an accent in its path',
  () => {
    const root = mkdtempSync(join(tmpdir(), 'pith-places-'))
    onTestFinished(() => rmSync(root, { recursive: true, force: true }))
    const folder = (name: string, mode: number) => {
      mkdirSync(join(root, name))
      chmodSync(join(root, name), mode)
      return join(root, name)
    }
    const clone = join(folder('private café', 0o700), 'a clone')
    copySources(clone)
    const env = {
      ...process.env,
      HOME: folder('home', 0o555),
      PATH: [folder('closed', 0o600), process.env.PATH].join(delimiter),
      TMPDIR: folder('temporary files', 0o700),
    }
    const npm = (...args: string[]) => spawnSync('npm', args, { cwd: clone, env, encoding: 'utf8' })

    expect(npm('start', '--silent', '--', '--version')).toMatchObject({ status: 0, stdout: `${manifest().version}\n` })
    const { status, stdout, stderr } = npm('test', '--', ...FILES)
    expect(status, `${stdout}${stderr}`).toBe(0)
    expect(stripVTControlCharacters(stdout)).toMatch(new RegExp(`Test Files .*\\b${FILES.length} passed`))
  },
)
