import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { decide } from '../../../src/agent/permissions/decide.ts'
import { DISK_PROBE } from '../../../src/agent/permissions/permission-gate.ts'
import { PERMISSION_MODES, type Rule } from '../../../src/agent/permissions/rule.ts'
import { full } from '../../support/full.ts'
import {
  EDITS_ON_DISK,
  EDITS_OUTSIDE,
  openWorkspace,
  READS_ON_DISK,
  SECRET,
  UNTRIED_READS,
} from './commands/on-disk.ts'

const { root, workspace, close } = openWorkspace()
afterAll(close)
const place = { workspace, home: '/home/me', probe: DISK_PROBE }

function allowed(modes: readonly (typeof PERMISSION_MODES)[number][], never: Rule[], command: string): boolean {
  return modes.some((mode) => decide(mode, { always: [], never }, { kind: 'command', command }, place).kind === 'allow')
}

/** The files of a folder with their contents. */
function contents(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(
      (entry) =>
        join(entry.parentPath, entry.name) + (entry.isFile() ? readFileSync(join(entry.parentPath, entry.name)) : ''),
    )
    .toSorted()
}

/** The commands that do not do it in a real shell, each in a fresh copy. In the short form, only some are tried. */
function harmless(commands: readonly string[], does: (copy: string, output: string) => boolean): readonly string[] {
  const copy = join(root, 'copy')
  return commands
    .filter((_, i) => full || i % 13 === 0)
    .filter((command) => {
      rmSync(copy, { recursive: true, force: true })
      execFileSync('mkdir', [copy])
      for (const name of ['shop', 'outside'])
        cpSync(join(root, name), join(copy, name), { recursive: true, verbatimSymlinks: true })
      const { stdout, stderr } = spawnSync('bash', ['-c', command], { cwd: join(copy, 'shop'), encoding: 'utf8' })
      return !does(copy, stdout + stderr)
    })
}

const changes = (folder: string) => (copy: string) =>
  contents(join(copy, folder))
    .map((each) => each.replace(`${copy}/`, ''))
    .join() !==
  contents(join(root, folder))
    .map((each) => each.replace(`${root}/`, ''))
    .join()

describe('rules that only the files on the disk show to be broken', () => {
  it.each(['.env', '**/.env*'])('never read: %s lets no way to read it run without a question', (pattern) => {
    const reads = [...READS_ON_DISK, ...UNTRIED_READS].filter(
      (command) => pattern !== '.env' || !command.includes('sec'),
    )
    expect(reads.filter((command) => allowed(PERMISSION_MODES, [{ kind: 'read', pattern }], command))).toEqual([])
  })

  it('never edit: db/** lets no way to change it run without a question', () => {
    const never: Rule[] = [{ kind: 'edit', pattern: 'db/**' }]
    expect(EDITS_ON_DISK.filter((command) => allowed(PERMISSION_MODES, never, command))).toEqual([])
  })

  it('a link to the outside does not make it a part of the workspace', () => {
    expect(EDITS_OUTSIDE.filter((command) => allowed(['ask', 'auto-edit'], [], command))).toEqual([])
    expect(allowed(['ask'], [], 'cat out/keep')).toBe(false)
    expect(allowed(['ask'], [], 'cat sub/a.txt dirlink/a.txt')).toBe(true)
  })

  it.each([
    ['cat sub/a.txt', '.env'],
    ['cat empty/*', '.env'],
    ['grep -r h empty', '.env'],
    ['cp sub/a.txt empty && cat sub/a.txt', '.env'],
    ['git log --stat', '.env'],
    ['cd sub && git status', '.env'],
    ['rm -rf empty && mkdir empty', 'db/**'],
  ])('%s keeps never read: %s', (command, pattern) =>
    expect(allowed(['full'], [{ kind: 'read', pattern }], command)).toBe(true),
  )

  it('is tested with commands that break them in a real shell', { timeout: 300_000 }, () => {
    const shows = (copy: string, output: string) =>
      output.includes(SECRET) || contents(join(copy, 'shop/y')).join().includes(SECRET)
    expect(harmless(READS_ON_DISK, shows)).toEqual([])
    expect(harmless(EDITS_ON_DISK, changes('shop/db'))).toEqual([])
    expect(harmless(EDITS_OUTSIDE, changes('outside'))).toEqual([])
  })
})
