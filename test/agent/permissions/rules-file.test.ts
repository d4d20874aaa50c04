import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { addRule, readRules } from '../../../src/agent/permissions/rules-file.ts'

function place(): { folder: string; workspace: string; file: string } {
  const root = mkdtempSync(join(tmpdir(), 'pith-rules-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const folder = join(root, 'data')
  return { folder, workspace: '/repo/a', file: join(folder, 'permissions.json') }
}

const npmTest = { kind: 'command', pattern: 'npm test' } as const

describe('the rules file', () => {
  it('keeps rules by workspace, with owner-only rights', async () => {
    const at = place()
    expect(await readRules(at)).toEqual({ always: [], never: [] })
    await addRule(at, 'always', npmTest)
    await addRule(at, 'never', { kind: 'command', pattern: 'git push *' })
    expect(await readRules(at)).toEqual({ always: [npmTest], never: [{ kind: 'command', pattern: 'git push *' }] })
    expect(await readRules({ ...at, workspace: '/repo/b' })).toEqual({ always: [], never: [] })
    expect(statSync(at.file).mode & 0o777).toBe(0o600)
    expect(statSync(at.folder).mode & 0o777).toBe(0o700)
    expect(readdirSync(at.folder)).toEqual(['permissions.json'])
  })

  it('has a rule once, in the list it was put in last', async () => {
    const at = place()
    await addRule(at, 'always', npmTest)
    await addRule(at, 'always', npmTest)
    await addRule(at, 'never', npmTest)
    expect(await readRules(at)).toEqual({ always: [], never: [npmTest] })
  })

  it('reads ~ as the home folder', async () => {
    const at = place()
    await addRule(at, 'always', { kind: 'read', pattern: '~/notes/**' })
    expect((await readRules(at, '/home/me')).always).toEqual([{ kind: 'read', pattern: '/home/me/notes/**' }])
    expect(readFileSync(at.file, 'utf8')).toContain('~/notes/**')
  })

  it.each([
    ['read', '~/**', 'read: ** for all files of the workspace'],
    ['read', '/**', 'read: ~/.ssh/**'],
    ['edit', '/repo', 'edit: ** for all files of the workspace'],
    ['edit', '/*/a', 'edit: ~/.ssh/**'],
    ['read', '.', 'read: ** for all files of the workspace'],
    ['read', '../b/**', 'write read: /repo/b/**'],
    ['edit', 'src/../a.ts', 'write edit: /repo/a/a.ts'],
  ] as const)(
    'refuses a never rule that hides the workspace or has no effect, and says how to write it: %s: %s',
    async (kind, pattern, how) => {
      const at = place()
      await addRule(at, 'never', { kind, pattern })
      const line = expect.objectContaining({
        code: 'bad-rules',
        message: expect.stringContaining(`permissions.json: the rule never ${kind}: ${pattern} `),
      })
      await expect(readRules(at, '/repo')).rejects.toThrow(line)
      await expect(readRules(at, '/repo')).rejects.toThrow(how)
      await addRule(at, 'always', { kind, pattern })
      expect((await readRules(at, '/repo')).never).toEqual([])
    },
  )

  it('takes never rules for folders beside the workspace and below it', async () => {
    const at = place()
    for (const pattern of ['~/.ssh/**', '/repo/b/**', '/repo/a/src', '/**/.env', '**', 'src/..b'])
      await addRule(at, 'never', { kind: 'read', pattern })
    expect((await readRules(at, '/home/me')).never).toHaveLength(6)
  })

  it.each([
    '{ "version": 1, ',
    '[]',
    '{"version":2,"workspaces":{}}',
    '{"version":1,"workspaces":{"/w":{"always":[]}}}',
    '',
  ])('says in one line that it is damaged, and leaves it as it is: %s', async (text) => {
    const at = place()
    await addRule(at, 'always', npmTest)
    writeFileSync(at.file, text)
    const line = expect.objectContaining({
      code: 'bad-rules',
      message: expect.stringMatching(/^[^\n]*permissions\.json was left unchanged, fix it or move it away: [^\n]+$/),
    })
    await expect(readRules(at)).rejects.toEqual(line)
    await expect(addRule(at, 'always', npmTest)).rejects.toEqual(line)
    expect(readFileSync(at.file, 'utf8')).toBe(text)
    expect(readdirSync(at.folder)).toEqual(['permissions.json'])
  })

  it('says where its JSON is broken', async () => {
    const at = place()
    await addRule(at, 'always', npmTest)
    writeFileSync(at.file, '{ "version": 1, x')
    await expect(readRules(at)).rejects.toThrow(/it is not JSON \(line 1, column 17: .*\)$/)
    writeFileSync(at.file, '{"always":\n[]}}\n')
    await expect(readRules(at)).rejects.toThrow(/\(line 2, column 4: Unexpected non-whitespace character\)$/)
  })

  it('loses no rule of several processes that write at the same time', async () => {
    const at = place()
    const module = join(import.meta.dirname, '../../../src/agent/permissions/rules-file.ts')
    const script = `
      const { addRule } = await import(process.argv[1])
      for (let i = 0; i < 20; i++) {
        await addRule({ folder: process.argv[2], workspace: '/repo/a' }, 'always', { kind: 'command', pattern: process.argv[3] + ' ' + i })
      }`
    const codes = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (name) => {
        const args = ['--input-type=module', '-e', script, module, at.folder, name]
        const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'close')
        return code
      }),
    )
    expect(codes).toEqual([0, 0, 0, 0])
    const { always } = await readRules(at)
    expect(new Set(always.map(({ pattern }) => pattern)).size).toBe(80)
  })

  it('takes over the lock of a process that died', async () => {
    const at = place()
    await addRule(at, 'always', npmTest)
    writeFileSync(`${at.file}.lock`, '')
    const longAgo = new Date(Date.now() - 60_000)
    utimesSync(`${at.file}.lock`, longAgo, longAgo)
    await addRule(at, 'never', npmTest)
    expect(await readRules(at)).toEqual({ always: [], never: [npmTest] })
  })

  it('says in one line that it cannot be written', async () => {
    const at = place()
    writeFileSync(at.folder, 'a file where the folder should be')
    await expect(addRule(at, 'always', npmTest)).rejects.toMatchObject({ code: 'store-unwritable' })
    chmodSync(at.folder, 0o600)
  })
})
