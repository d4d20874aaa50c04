import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { pith } from '../../support/cli.ts'
import { configFolders } from '../../support/config-folders.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures/formats')
const COMMANDS: readonly (readonly string[])[] = [
  ['compact', '--offline'],
  ['replay'],
  ['import'],
  ['export'],
  ['diff'],
]

describe('a file that is not a session', () => {
  it('is refused in one line that says what it is', async () => {
    const folders = configFolders()
    const at = (name: string) => join(folders.workspace, name)
    writeFileSync(at('empty.jsonl'), '')
    writeFileSync(at('binary.jsonl'), randomBytes(10_000))
    writeFileSync(at('other.json'), '{ "name": "pith", "version": 1 }')
    writeFileSync(at('lines.jsonl'), '{"kind":"turn","who":"me"}\n{"kind":"turn","who":"you"}\n')
    writeFileSync(at('cut.json'), readFileSync(join(FIXTURES, 'opencode.json'), 'utf8').slice(0, 60))
    mkdirSync(at('folder'))
    const lines = {
      'empty.jsonl': 'empty.jsonl: the file is empty',
      'binary.jsonl': 'binary.jsonl: the file is not text in UTF-8',
      'other.json': 'other.json: the content is not a session of an agent that Pith knows',
      'lines.jsonl': 'lines.jsonl: the content is not a session of an agent that Pith knows',
      'cut.json': 'cut.json: the opencode session has no messages that can be read',
      folder: 'folder is a directory: name one session file in it, or see pith sessions',
      'emptty.jsonl': 'there is no file emptty.jsonl',
      quux: 'there is no file and no session quux: pith sessions lists them',
    }
    for (const [name, line] of Object.entries(lines)) {
      expect(await pith(folders, ['inspect', name]), name).toEqual({ stdout: '', stderr: `pith: ${line}\n`, code: 1 })
    }
  })

  it('counts as not found if its path cannot be looked at', async () => {
    const folders = configFolders()
    writeFileSync(join(folders.workspace, 'a-file'), '')
    // A name that is too long, and a path through something that is not a folder: root gets an error for these as well.
    const long = 'x'.repeat(300)
    const lines = {
      'a-file/session.jsonl': 'there is no file a-file/session.jsonl',
      [long]: `there is no file and no session ${long}: pith sessions lists them`,
    }
    for (const [name, line] of Object.entries(lines)) {
      expect(await pith(folders, ['inspect', name]), name).toEqual({ stdout: '', stderr: `pith: ${line}\n`, code: 1 })
    }
  })

  it('is refused by every command', async () => {
    const folders = configFolders()
    writeFileSync(join(folders.workspace, 'empty.jsonl'), '')
    for (const command of COMMANDS) {
      const line = 'pith: empty.jsonl: the file is empty\n'
      expect(await pith(folders, [...command, 'empty.jsonl'])).toEqual({ stdout: '', stderr: line, code: 1 })
    }
  })

  it('is distinguished from a session with a bad line, of which the rest is read', async () => {
    const folders = configFolders()
    const text = readFileSync(join(FIXTURES, 'claude-code.jsonl'), 'utf8')
    writeFileSync(join(folders.workspace, 'torn.jsonl'), `${text}{"type":"user","uuid":"x`)
    const cut = 'line 21: the file ends in the middle of this line, which was left out\n'
    const { stdout, stderr, code } = await pith(folders, ['inspect', 'torn.jsonl'])
    expect(code).toBe(0)
    expect(stdout).toContain('Claude Code')
    expect(stderr).toBe(cut)
    expect(await pith(folders, ['compact', 'torn.jsonl', '--offline', '--out', 'short.jsonl'])).toMatchObject({
      stderr: cut,
      code: 0,
    })
    writeFileSync(join(folders.workspace, 'bad.jsonl'), `no JSON\n${text}`)
    expect((await pith(folders, ['inspect', 'bad.jsonl'])).stderr).toBe(
      '1 place of the file could not be read as written:\n  line 1: the line is not a JSON object\n',
    )
  })
})

it('an entry of a stored session that cannot be read is named, and the rest is exported, shown and compacted', async () => {
  const folders = configFolders()
  const { id } = JSON.parse((await pith(folders, ['import', 'example', '--json'])).stdout)
  const database = new DatabaseSync(join(folders.env.PITH_HOME ?? '', 'pith.db'))
  database.exec("UPDATE entries SET body = '{' WHERE seq = 4")
  database.close()
  for (const line of [
    ['export', id],
    ['inspect', id],
    ['compact', id, '--offline', '--out', 'short.jsonl'],
  ]) {
    const { stdout, stderr, code } = await pith(folders, line)
    expect(stderr, line[0]).toMatch(/^1 entry of this session cannot be read and is left out: #4 \(.+\)\n$/)
    expect({ isShown: stdout.length > 50, code }).toEqual({ isShown: true, code: 0 })
  }
  const recalled = (handles: string) => pith(folders, ['recall', handles, '--session', id])
  expect(await recalled('#4')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^pith: Entry #4 is damaged and cannot be read \(.+\)\.\n$/),
  })
  expect(await recalled('#3-#5, #9999')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^#3 [\s\S]*\n#5 /),
    stderr: expect.stringMatching(/^There is no entry #9999\.\nEntry #4 is damaged and cannot be read \(.+\)\.\n$/),
  })
})
