import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pith } from '../../support/cli.ts'
import { type ConfigFolders, configFolders } from '../../support/config-folders.ts'
import { claudeLine } from './mcp-world.ts'

const ID = '7d1a2b3c-1111-4222-8333-444455556666'
const TALK = [
  'The heron needs port 4711',
  ...Array.from({ length: 40 }, (_, i) => `Step ${i}: ${'done. '.repeat(200)}`),
]

/** A file of Claude Code, and a compacted copy of it. */
async function compacted(folders: ConfigFolders, ...flags: string[]): Promise<{ source: string; copy: string }> {
  const source = join(folders.workspace, 'source.jsonl')
  writeFileSync(source, TALK.map((text, i) => claudeLine(ID, text, i, folders.workspace)).join(''))
  const copy = join(folders.workspace, 'copy.jsonl')
  const args = ['compact', source, '--offline', '--budget', '6k', '--to', 'codex', '--out', copy, ...flags]
  expect((await pith(folders, args)).code).toBe(0)
  return { source, copy }
}

async function recalled(folders: ConfigFolders, session: string, query: string): Promise<string> {
  const { stdout, stderr } = await pith(folders, ['recall', query, '--session', session])
  return `${stdout}${stderr}`
}

describe('a file that Pith wrote', () => {
  it('answers the handles of its record from the session that it was made from, which it does not name', async () => {
    const folders = configFolders()
    const { source, copy } = await compacted(folders)
    expect(await recalled(folders, copy, '#1-#2')).toMatch(/^#1 \(user\)\n.*port 4711\n\n#2 \(assistant\)\n.*Step 0/)
    expect(readFileSync(copy, 'utf8')).not.toContain(source)
    // The agent writes into its session.
    appendFileSync(source, claudeLine(ID, 'One more', TALK.length, folders.workspace))
    expect(await recalled(folders, copy, '#1')).toContain('port 4711')
  })

  it('is searched together with that session, each message once and the record not at all', async () => {
    const folders = configFolders()
    const { copy } = await compacted(folders)
    const { stdout } = await pith(folders, ['recall', 'heron port', '--session', copy, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ hits: [{ seq: 1 }], total: 1, searched: TALK.length })
  })

  it('leads through every file between it and its source, and through an import', async () => {
    const folders = configFolders()
    const { copy } = await compacted(folders)
    const next = join(folders.workspace, 'next.jsonl')
    await pith(folders, ['compact', copy, '--offline', '--budget', '5k', '--to', 'pi', '--out', next])
    expect(await recalled(folders, next, '#1')).toContain('port 4711')
    const { stdout } = await pith(folders, ['import', copy, '--json'])
    expect(await recalled(folders, JSON.parse(stdout).id, '#1')).toContain('port 4711')
  })

  it('says in one line that its source is gone, or is not the same any more', async () => {
    const folders = configFolders()
    const { source, copy } = await compacted(folders)
    writeFileSync(source, readFileSync(source, 'utf8').replace('4711', '4712'))
    const changed = await recalled(folders, copy, '#1')
    expect(changed).toMatch(/ has no entry #1: its entries are .* were in .*source\.jsonl, which has changed since\n$/)
    expect(changed).not.toContain('4712')
    rmSync(source)
    expect(await recalled(folders, copy, '#1')).toMatch(/source\.jsonl, which is no longer there\n$/)
  })

  it('gives nothing of a source to a record that Pith did not write, or wrote for somebody else', async () => {
    const folders = configFolders()
    const { copy } = await compacted(folders)
    const other = configFolders()
    expect(await recalled(other, copy, '#1')).toMatch(/has no entry #1: .*Those before are in the session/)
    writeFileSync(copy, readFileSync(copy, 'utf8').replaceAll('heron', 'eagle'))
    expect(await recalled(folders, copy, '#1')).toMatch(/has no entry #1: .*Those before are in the session/)
  })
})
