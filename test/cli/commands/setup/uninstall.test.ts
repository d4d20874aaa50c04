import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SETUP_AGENTS } from '../../../../src/cli/commands/setup/setup-agents.ts'
import { announceGateway } from '../../../../src/gateway/running-gateways.ts'
import { ownHolder } from '../../../../src/session/compaction/hold-lease.ts'
import { pith as run } from '../../../support/cli.ts'
import { type ConfigFolders, configFolders } from '../../../support/config-folders.ts'

/** Files that users have, with comments and layout of their own. The other agents have none. */
const BEFORE = {
  '.claude.json': '{"numStartups": 3,\n  "mcpServers": {"docs": {"command": "docs"}} }',
  '.claude/settings.json':
    '{\n\t// mine\n\t"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "date"}]}]},\n}\r\n',
  '.claude/CLAUDE.md': 'Always use tabs.\n',
  '.codex/config.toml': '# mine\nmodel = "gpt-5.5"\n[profiles.x]\nmodel = "b"',
  '.config/opencode/opencode.jsonc': '{ "plugin": ["mine"], }',
  '.qwen/settings.json': '',
}

/** A machine with every agent that Pith can be set up in. */
function machine() {
  const folders = configFolders()
  const put = (file: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(folders.home, file)), { recursive: true })
    writeFileSync(join(folders.home, file), text, { mode })
  }
  for (const { name } of SETUP_AGENTS) put(`bin/${name}`, '#!/bin/sh\necho 1.2.3\n', 0o755)
  for (const [file, text] of Object.entries(BEFORE)) put(file, text)
  // Pith's own folders are where they are without PITH_HOME.
  const env = {
    PITH_HOME: '',
    XDG_DATA_HOME: join(folders.home, 'data'),
    XDG_CONFIG_HOME: join(folders.home, '.config'),
    PATH: [join(folders.home, 'bin'), '/bin', '/usr/bin'].join(delimiter),
  }
  mkdirSync(env.XDG_DATA_HOME)
  return { folders, put, pith: (...args: string[]) => run(folders, args, env) }
}

/** Every file and folder below the user's home, with what is in it. */
function contents({ home }: ConfigFolders): Record<string, string> {
  const found = readdirSync(home, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name)
    return [path.slice(home.length + 1), entry.isDirectory() ? 'folder' : readFileSync(path, 'utf8')] as const
  })
  return Object.fromEntries(found.toSorted())
}

/** Uses what leaves something behind: every agent's setup, sessions, the index, the configuration, a record's key. */
async function used({ pith }: ReturnType<typeof machine>): Promise<void> {
  for (const { name } of SETUP_AGENTS) expect(await pith('setup', name, '--memory', '--yes')).toMatchObject({ code: 0 })
  for (const line of [
    ['import', 'example'],
    ['compact', 'example', '--offline', '--to', 'claude-code', '--out', '../../copy.jsonl'],
    ['sessions'],
    ['recall', 'upload'],
    ['memory', 'pin', 'the staging server is reset at noon'],
    ['config', 'set', 'theme', 'dark'],
  ])
    expect(await pith(...line)).toMatchObject({ code: 0 })
}

describe('pith uninstall', () => {
  it('gives the machine back as it was before, with every agent set up', async () => {
    const here = machine()
    const before = contents(here.folders)
    await used(here)
    const list = await here.pith('uninstall', '--dry-run', '--conversations')
    for (const { title } of SETUP_AGENTS) expect(list.stdout).toContain(`${title}\n`)
    expect(list.stdout).toMatch(/^ {2}~\/data\/pith\/pith\.db /m)
    expect(contents(here.folders)).not.toEqual(before)
    expect(await here.pith('uninstall', '--yes', '--conversations')).toMatchObject({ code: 0 })
    expect(contents(here.folders)).toEqual(before)
    expect(await here.pith('uninstall', '--yes', '--conversations')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Nothing was removed.'),
    })
  })

  it('keeps the conversations, with their key and pages, unless they are named', async () => {
    const here = machine()
    await used(here)
    const { code, stdout } = await here.pith('uninstall', '--yes')
    expect(code).toBe(0)
    expect(stdout).toContain('they stay without --conversations')
    const left = Object.keys(contents(here.folders)).filter((path) => path.startsWith('data/pith/'))
    expect(left).toEqual(expect.arrayContaining(['data/pith/pith.db', 'data/pith/gateway.key', 'data/pith/memory']))
    expect(left.filter((path) => /index|setup|config/.test(path))).toEqual([])
    expect((await here.pith('sessions', '--json')).stdout).toContain('"agent": "Pith"')
  })

  it('lists everything without a terminal, says which flags remove it, and changes nothing', async () => {
    const here = machine()
    await here.pith('setup', 'pi', '--yes')
    const before = contents(here.folders)
    const { code, stdout, stderr } = await here.pith('uninstall')
    expect(code).toBe(1)
    expect(stdout).toContain('~/.pi/agent/settings.json  made by Pith\n')
    expect(stderr).toMatch(/^pith: there is no terminal to ask on: --yes removes this without the conversations/m)
    expect(contents(here.folders)).toEqual(before)
  })

  it('leaves what is not Pith’s in its folders, and what the user wrote into an agent’s file since', async () => {
    const here = machine()
    await here.pith('setup', 'claude', '--yes')
    here.put('data/pith/my-backup.db', 'mine')
    here.put('.config/pith/AGENTS.md', 'Be brief.\n')
    here.put('.claude.json', readFileSync(join(here.folders.home, '.claude.json'), 'utf8').replace('3', '4'))
    const { code, stdout } = await here.pith('uninstall', '--yes', '--conversations')
    expect(code).toBe(0)
    expect(stdout).toMatch(/~\/data\/pith\/my-backup\.db +not written by Pith/)
    const after = contents(here.folders)
    expect(after['data/pith/my-backup.db']).toBe('mine')
    expect(after['.config/pith/AGENTS.md']).toBe('Be brief.\n')
    expect(after['.claude.json']).toBe(BEFORE['.claude.json'].replace('3', '4'))
  })

  it('removes nothing while a gateway runs', async () => {
    const here = machine()
    await here.pith('setup', 'pi', '--yes')
    const data = join(here.folders.home, 'data/pith')
    const retract = announceGateway(data, { holder: ownHolder(), port: 1, prefix: 'secret', mode: 'observe' })
    onTestFinished(retract)
    const before = contents(here.folders)
    expect(await here.pith('uninstall', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('1 gateway of Pith must be stopped first'),
    })
    expect(contents(here.folders)).toEqual(before)
  })

  it('deletes a database of sessions that is elsewhere only with the conversations', async () => {
    const here = machine()
    await here.pith('config', 'set', 'store', join(here.folders.home, 'mine/sessions.db'))
    await here.pith('import', 'example')
    expect((await here.pith('uninstall', '--dry-run')).stdout).toMatch(/^ {2}~\/mine\/sessions\.db /m)
    await here.pith('uninstall', '--yes', '--conversations')
    expect(existsSync(join(here.folders.home, 'mine/sessions.db'))).toBe(false)
  })

  it('removes the rest if one agent’s file cannot be read, and keeps the copy of that file', async () => {
    const here = machine()
    await here.pith('setup', 'claude', '--yes')
    await here.pith('setup', 'pi', '--yes')
    here.put('.claude.json', '{ "mcpServers": ')
    const { code, stderr } = await here.pith('uninstall', '--yes')
    expect(code).toBe(1)
    expect(stderr).toMatch(/\.claude\.json is no JSON/)
    expect(existsSync(join(here.folders.home, '.pi/agent/settings.json'))).toBe(false)
    expect(Object.keys(contents(here.folders)).some((path) => /data\/pith\/setup\/.*claude\.json$/.test(path))).toBe(
      true,
    )
  })
})
