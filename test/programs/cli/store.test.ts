import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStore } from '../../../src/store/open-store.ts'
import { pith } from '../../support/cli.ts'
import { type ConfigFolders, configFolders } from '../../support/config-folders.ts'

const databaseOf = ({ env }: ConfigFolders) => join(env.PITH_HOME ?? '', 'pith.db')

async function withSession() {
  const folders = configFolders()
  await pith(folders, ['import', 'example'])
  return { folders, path: databaseOf(folders) }
}

/** Writes over a part of the file. */
function damage(path: string, from: number, bytes: Buffer): void {
  const file = readFileSync(path)
  bytes.copy(file, from)
  writeFileSync(path, file)
}

describe('pith store', () => {
  it('check reads all of a sound database, and says what is wrong with a damaged one', async () => {
    const { folders, path } = await withSession()
    expect(await pith(folders, ['store', 'check'])).toMatchObject({
      stdout: expect.stringMatching(/^1 session with \d+ entries read, no damage and no gaps found\n$/),
      code: 0,
    })
    damage(path, 5 * 4_096, Buffer.alloc(4_096, 0xa5))
    const { stderr, code } = await pith(folders, ['store', 'check'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('pith store salvage NEW-FILE saves') })
    const named = await pith(folders, ['store', 'check', path])
    expect(named.stderr).toContain(`pith store salvage NEW-FILE --from ${path} saves what can be read`)
    expect(named.stdout).not.toContain('***')
  })

  it('check of a salvaged database names what is missing, and does not advise to salvage it again', async () => {
    const { folders, path } = await withSession()
    const database = new DatabaseSync(path)
    database.exec("UPDATE entries SET body = '{' WHERE seq = 4")
    database.close()
    expect((await pith(folders, ['store', 'check'])).stderr).toContain('pith store salvage NEW-FILE saves')
    const { stderr } = await pith(folders, ['store', 'salvage', 'saved.db'])
    expect(stderr).toContain('1 entry cannot be accounted for')
    expect(await pith(folders, ['store', 'check', 'saved.db'])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^session \S+: 130 of 131 entries are there\n$/),
      stderr: '1 session with 130 entries read; 1 problem\n',
    })
  })

  it('salvage saves what can be read, and the new database is sound', async () => {
    const { folders, path } = await withSession()
    damage(path, 0, Buffer.alloc(4_096))
    expect((await pith(folders, ['recall', 'upload'])).stderr).toMatch(/^pith: .* is damaged .*pith store salvage\n$/)
    const { stdout, stderr, code } = await pith(folders, ['store', 'salvage', 'saved.db'])
    expect({ stdout, stderr, code }).toEqual({
      stdout: expect.stringMatching(/^Saved 1 session with \d+ entries in /),
      stderr: expect.stringContaining('0 entries cannot be accounted for'),
      code: 0,
    })
    expect((await pith(folders, ['store', 'check', 'saved.db'])).code).toBe(0)
    writeFileSync(folders.userFile, `store: ${JSON.stringify(join(folders.workspace, 'saved.db'))}\n`)
    expect((await pith(folders, ['recall', 'socket'])).stdout).toContain('#')
  })

  it('backup copies the database while another process writes, for its owner only', async () => {
    const { folders, path } = await withSession()
    const store = await openStore(path)
    onTestFinished(() => store.close())
    const { id } = await store.createSession({ owner: 'ann', workspace: '/w' })
    const { stdout, code } = await pith(folders, ['store', 'backup', 'copy.db'])
    await store.append(id, [{ type: 'message', message: { role: 'user', content: 'after' } }])
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('2 sessions') })
    const copy = join(folders.workspace, 'copy.db')
    expect(statSync(copy).mode & 0o077).toBe(0)
    expect((await pith(folders, ['store', 'check', 'copy.db'])).code).toBe(0)
    expect((await pith(folders, ['store', 'backup', 'copy.db'])).stderr).toContain('exists already')
  })

  it('delete says what it would delete, then deletes it, and leaves the sessions of others', async () => {
    const { folders, path } = await withSession()
    const store = await openStore(path)
    const at = Date.now() - 100 * 86_400_000
    for (const [owner, workspace] of [
      ['ann', '/repo/sub'],
      ['bob', '/repo'],
    ] as const) {
      const { id } = await store.createSession({ owner, workspace, createdAt: at })
      await store.append(id, [{ type: 'message', message: { role: 'user', content: 'old' } }], { times: [at] })
    }
    await store.close()
    const ann = ['store', 'delete', '--older-than', '90d', '--owner', 'ann', '--project', '/repo']
    const counts = (verb: string) => new RegExp(`^${verb} 1 session with 1 entry \\(\\d+ bytes\\)\\n$`)
    expect(await pith(folders, [...ann, '--dry-run'])).toMatchObject({
      stdout: expect.stringMatching(counts('Would delete')),
      code: 0,
    })
    expect(await pith(folders, ann)).toMatchObject({ stderr: expect.stringContaining('--yes'), code: 1 })
    expect(await pith(folders, [...ann, '--yes'])).toMatchObject({
      stdout: expect.stringMatching(counts('Deleted')),
      code: 0,
    })
    expect((await pith(folders, [...ann, '--yes'])).stdout).toBe('There are no such sessions\n')
    expect((await pith(folders, ['store', 'check'])).stdout).toMatch(/^2 sessions .* no damage and no gaps found\n$/)
    // Without an age the session that was just imported goes, too.
    expect((await pith(folders, ['store', 'delete', '--owner', 'local', '--yes'])).stdout).toMatch(/^Deleted 1 session/)
    expect(await pith(folders, ['store', 'delete', '--yes'])).toMatchObject({ stdout: '', code: 2 })
    for (const age of ['soon', '0d', '-1d'])
      expect((await pith(folders, ['store', 'delete', `--older-than=${age}`, '--dry-run'])).code).toBe(2)
  })

  it.each([
    ['a header of another version', (path: string) => damage(path, 18, Buffer.from([9, 9]))],
    ['a schema version of an earlier Pith', (path: string) => sql(path, 'PRAGMA user_version = 1')],
    ['a table that is gone', (path: string) => sql(path, 'DROP TABLE summaries; DROP TABLE chains')],
    ['a file of zeros', (path: string) => writeFileSync(path, Buffer.alloc(50_000))],
  ])('every command says in one line what is wrong with %s', async (_, spoil) => {
    const { folders, path } = await withSession()
    spoil(path)
    for (const args of [['sessions'], ['recall', 'jitter'], ['import', 'example'], ['store', 'check']]) {
      const { stderr, stdout } = await pith(folders, args)
      expect(stdout + stderr).not.toMatch(/unexpected error|PITH_DEBUG|\n +at /)
      expect((stdout + stderr).length).toBeGreaterThan(0)
    }
  })
})

function sql(path: string, text: string): void {
  const database = new DatabaseSync(path)
  database.exec(text)
  database.close()
}
