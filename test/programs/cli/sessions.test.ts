import { cpSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pith } from '../../support/cli.ts'
import { type ConfigFolders, configFolders } from '../../support/config-folders.ts'
import { makeOpencodeDatabase, type OpencodeExport } from '../../support/opencode-database.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures/formats')

describe('pith sessions', () => {
  it('lists the sessions of every agent where they keep them, newest first', async () => {
    const folders = configFolders()
    const home = (path: string) => join(folders.home, path)
    put(home('.claude/projects/-home-me/11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa.jsonl'), 'claude-code-compacted.jsonl', 60)
    put(
      home('.codex/sessions/2026/01/02/rollout-2026-01-02T00-00-00-22222222-bbbb-4bbb-8bbb-bbbbbbbbbbbb.jsonl'),
      'codex.jsonl',
      50,
    )
    put(home('.pi/agent/sessions/--home-me--/2026-01-01_33333333-cccc-4ccc-8ccc-cccccccccccc.jsonl'), 'pi-v3.jsonl', 40)
    put(home('.gemini/tmp/abc/chats/session-2026-01-01T00-00-44444444.json'), 'gemini.json', 30)
    put(home('.copilot/session-state/55555555-dddd-4ddd-8ddd-dddddddddddd/events.jsonl'), 'copilot.jsonl', 20)
    put(home('.qwen/projects/-home-me/chats/66666666-eeee-4eee-8eee-eeeeeeeeeeee.jsonl'), 'qwen-code.jsonl', 15)
    putOpencode(home('.local/share/opencode/opencode.db'), 10)
    // A sub-agent's file is not a separate session, and a file that cannot be read does not hide the others.
    put(home('.claude/projects/-home-me/agent-1234.jsonl'), 'claude-code.jsonl', 5)
    mkdirSync(home('.claude/projects/-home-you'), { recursive: true })
    writeFileSync(home('.claude/projects/-home-you/bad.jsonl'), '\0\0\0\0\0\0\0\0\0\0\0\0')
    const { stdout, stderr, code } = await pith(folders, ['sessions', '--json'])
    const listed = JSON.parse(stdout)
    expect(listed.map(({ agent }: { agent: string }) => agent)).toEqual([
      'opencode',
      'qwen-code',
      'Copilot CLI',
      'Gemini CLI',
      'pi',
      'Codex',
      'Claude Code',
    ])
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    expect(listed[3]).toMatchObject({ agent: 'Gemini CLI', id: '44444444' })
    expect(listed[5]).toMatchObject({
      agent: 'Codex',
      // The file names it: the registry knows another one.
      window: 272_000,
      title: expect.stringMatching(/^Make the server listen on port 8081\./),
    })
    const claude = listed.at(-1)
    expect(claude).toMatchObject({
      id: '11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa',
      path: expect.stringContaining('.claude/projects'),
      messages: expect.any(Number),
      tokens: expect.any(Number),
      window: expect.any(Number),
      percent: expect.any(Number),
      compactions: 1,
    })
    expect(listed.every(({ messages }: { messages: number }) => messages > 0)).toBe(true)
    expect((await pith(folders, ['sessions'])).stderr).toBe('1 file could not be read\n')
  })

  it('looks where the agents’ own variables point, and there only', async () => {
    const folders = configFolders()
    const at = (path: string) => join(folders.home, path)
    put(at('a/projects/x/11111111.jsonl'), 'claude-code.jsonl', 3)
    put(at('b/sessions/rollout-1-22222222-bbbb-4bbb-8bbb-bbbbbbbbbbbb.jsonl'), 'codex.jsonl', 2)
    put(at('c/sessions/x/1_33333333.jsonl'), 'pi-v1.jsonl', 1)
    put(at('.claude/projects/x/44444444.jsonl'), 'claude-code.jsonl', 1)
    const env = { CLAUDE_CONFIG_DIR: at('a'), CODEX_HOME: at('b'), PI_CODING_AGENT_DIR: at('c') }
    const { stdout } = await pith(folders, ['sessions', '--json'], env)
    expect(JSON.parse(stdout).map(({ id }: { id: string }) => id)).toEqual([
      '33333333',
      '22222222-bbbb-4bbb-8bbb-bbbbbbbbbbbb',
      '11111111',
    ])
  })

  it('reads opencode’s database too', async () => {
    const folders = configFolders()
    const path = join(folders.home, 'data/opencode/opencode.db')
    const exportedSession: OpencodeExport = JSON.parse(readFileSync(join(FIXTURES, 'opencode.json'), 'utf8'))
    makeOpencodeDatabase(path, exportedSession)
    const { info } = exportedSession
    const env = { XDG_DATA_HOME: join(folders.home, 'data') }
    const [session] = JSON.parse((await pith(folders, ['sessions', '--json'], env)).stdout)
    const { session: exported } = JSON.parse(
      (await pith(folders, ['inspect', join(FIXTURES, 'opencode.json'), '--json'])).stdout,
    )
    expect(session).toMatchObject({
      id: info.id,
      agent: 'opencode',
      title: info.title,
      messages: exported.counts.messages,
    })
    expect((await pith(folders, ['inspect', info.id], env)).stdout).toContain('opencode')
  })

  it('lists ours with them and opens any by the beginning of its id', async () => {
    const folders = configFolders()
    put(join(folders.home, '.claude/projects/x/abcdef01-aaaa.jsonl'), 'claude-code.jsonl', 60)
    const { id } = JSON.parse((await pith(folders, ['import', 'example', '--json'])).stdout)
    const rows = (await pith(folders, ['sessions'])).stdout.trimEnd().split('\n')
    expect(rows[0]).toMatch(/^ID +AGENT +AGE +MSGS +TOKENS +FULL +COMP +FOLDER/)
    expect(rows[1]).toMatch(new RegExp(`^${id.slice(0, 8)} +Pith +now +130 +\\S+ +62\\.43% `))
    expect(rows[2]).toMatch(/^abcdef01 +Claude Code +1m /)
    expect((await pith(folders, ['inspect', 'abcdef'])).stdout).toContain('Claude Code')
    expect((await pith(folders, ['inspect', id.slice(0, 6)])).stdout).toMatch(/130 messages[\s\S]* of 20,480 tokens/)
    expect((await pith(folders, ['sessions', '--here', '--json'])).stdout).toContain(id)
    expect((await pith(folders, ['sessions', '--limit', '1'])).stderr).toBe(
      '1 older session not shown: pith sessions --all\n',
    )
  })

  it('shows no share of a window that only the configured model has, as pith inspect and the web inspector show none', async () => {
    const folders = configFolders()
    await pith(folders, ['config', 'set', 'model', 'anthropic/claude-sonnet-4-5'])
    const talk = join(folders.home, 'talk.json')
    writeFileSync(talk, JSON.stringify([{ role: 'user', content: 'Which port?' }]))
    await pith(folders, ['import', talk])
    const [listed] = JSON.parse((await pith(folders, ['sessions', '--json'])).stdout)
    const inspected = JSON.parse((await pith(folders, ['inspect', listed.id, '--json'])).stdout)
    expect(inspected.status).toMatchObject({ tokens: listed.tokens, known: false })
    expect(listed).not.toHaveProperty('percent')
  })

  it('reads a file again only after it has changed', async () => {
    const folders = configFolders()
    const file = join(folders.home, '.claude/projects/x/11111111.jsonl')
    put(file, 'claude-code.jsonl', 60)
    const messages = async () => JSON.parse((await pith(folders, ['sessions', '--json'])).stdout)[0].messages
    const before = await messages()
    expect(await messages()).toBe(before)
    expect(existsSync(join(folders.env.PITH_HOME ?? '', 'session-facts.json'))).toBe(true)
    put(file, 'claude-code-compacted.jsonl', 30)
    expect(await messages()).not.toBe(before)
  })

  it('says what to do if there are none, and makes no database for it', async () => {
    const folders: ConfigFolders = configFolders()
    const { stdout, code } = await pith(folders, ['sessions'])
    expect({ stdout, code }).toEqual({
      stdout: 'No sessions yet: pith starts one, pith import FILE imports one\n',
      code: 0,
    })
    expect(existsSync(join(folders.env.PITH_HOME ?? '', 'pith.db'))).toBe(false)
  })
})

/** A fixture in the place that an agent would have written it to, that many seconds ago. */
function put(path: string, fixture: string, secondsAgo: number): void {
  mkdirSync(dirname(path), { recursive: true })
  cpSync(join(FIXTURES, fixture), path)
  const at = Date.now() / 1_000 - secondsAgo
  utimesSync(path, at, at)
}

function putOpencode(path: string, secondsAgo: number): void {
  const session: OpencodeExport = JSON.parse(readFileSync(join(FIXTURES, 'opencode.json'), 'utf8'))
  const time = { ...session.info.time, updated: Date.now() - secondsAgo * 1_000 }
  makeOpencodeDatabase(path, { ...session, info: { ...session.info, time } })
}
