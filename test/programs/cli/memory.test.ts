import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { openStore } from '../../../src/store/open-store.ts'
import { LOCAL_OWNER } from '../../../src/store/store.ts'
import { pith, pithProcess } from '../../support/cli.ts'
import { type ConfigFolders, configFolders } from '../../support/config-folders.ts'

type Line = Readonly<Record<string, unknown>>

function put(folders: ConfigFolders, place: string, text: string): string {
  const file = join(folders.home, place)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

function user(content: unknown): Line {
  return { type: 'user', message: { role: 'user', content } }
}

/** A tool of Claude Code that ran and ended well. */
function used(id: string, name: string, input: object, content = 'ok'): Line[] {
  return [
    {
      type: 'assistant',
      message: { id: `m${id}`, role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
    },
    user([{ type: 'tool_result', tool_use_id: id, content }]),
  ]
}

const IDS = ['11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa', '22222222-bbbb-4bbb-8bbb-bbbbbbbbbbbb']

/** A session of Claude Code on a day of March. */
function claude(folders: ConfigFolders, nth: 0 | 1, lines: readonly Line[], more: { cwd?: string } = {}): string {
  const [sessionId = '', cwd = folders.workspace] = [IDS[nth], more.cwd]
  const text = lines.map((line, i) => {
    const at = { timestamp: new Date(Date.UTC(2026, 2, 2 + nth, 8, 0, i)).toISOString(), isSidechain: false }
    const links = { uuid: `${nth}-${i}`, parentUuid: i === 0 ? null : `${nth}-${i - 1}` }
    return JSON.stringify({ ...line, ...at, ...links, sessionId, cwd, entrypoint: 'cli' })
  })
  return put(folders, `.claude/projects/-x/${sessionId}.jsonl`, `${text.join('\n')}\n`)
}

/** A user with two sessions in this workspace. */
function worked(): ConfigFolders {
  const folders = configFolders()
  writeFileSync(join(folders.workspace, 'a.ts'), '')
  const file = { file_path: join(folders.workspace, 'a.ts') }
  const work = (nth: number) => [
    ...used(`r${nth}`, 'Read', file, '1→const one = 1'),
    ...used(`t${nth}`, 'Bash', { command: 'npm test' }),
  ]
  claude(folders, 0, [user('Never push to main. Read a.ts.'), ...work(0)])
  claude(folders, 1, [user('Always write in English.'), ...work(1)])
  return folders
}

describe('pith memory', () => {
  it('shows what all sessions of this project left, with numbers', async () => {
    const { stdout, stderr, code } = await pith(worked(), ['memory'])
    expect(code).toBe(0)
    expect(stdout).toContain('# Memory of the project work')
    expect(stdout).toContain('  1 “Always write in English.” (2026-03-03, 22222222#1)')
    expect(stdout).toContain('  2 “Never push to main.” (2026-03-02, 11111111#1)')
    expect(stdout).toContain('test: `npm test`, passed in 2 sessions')
    expect(stdout).toContain('./: a.ts')
    expect(stderr).toContain('2 sessions of work')
  })

  it('has nothing of other projects', async () => {
    const folders = worked()
    claude(folders, 1, [user('Always write in German.')], { cwd: '/elsewhere' })
    const { stdout } = await pith(folders, ['memory'])
    expect(stdout).toContain('Never push to main.')
    expect(stdout).not.toContain('German')
  })

  it('without sessions it says so', async () => {
    const { stdout, code } = await pith(configFolders(), ['memory'])
    expect([stdout, code]).toEqual(['Nothing is remembered of work: no agent has worked in it on this machine.\n', 0])
  })

  it('follows a session that changes, and one that is deleted', async () => {
    const folders = worked()
    await pith(folders, ['memory'])
    const file = claude(folders, 1, [user('Always write in French.')])
    expect((await pith(folders, ['memory'])).stdout).toContain('French')
    rmSync(file)
    expect((await pith(folders, ['memory'])).stdout).not.toContain('French')
  })

  it('keeps the page for the next session, and nobody else can read it', async () => {
    const folders = worked()
    const { stdout } = await pith(folders, ['memory', '--json'])
    const { text, mode } = pageOf(folders)
    expect(text).toBe(JSON.parse(stdout).text)
    expect(mode & 0o077).toBe(0)
  })
})

/** The last finished page of the only project. */
function pageOf(folders: ConfigFolders): { readonly text: string; readonly mode: number } {
  const [path = ''] = pagesOf(folders)
  return { text: readFileSync(path, 'utf8'), mode: statSync(path).mode }
}

function pagesOf({ env }: ConfigFolders): string[] {
  const folder = join(env.PITH_HOME ?? '', 'memory')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
}

it('a worktree that is gone counts by the address that its session recorded', async () => {
  const folders = configFolders()
  writeFileSync(join(folders.workspace, '.git/config'), '[remote "origin"]\n\turl = git@github.com:lake/heron.git\n')
  const codex = (id: string, words: string, repository_url: string) => {
    const meta = { id, timestamp: '2026-03-02T08:00:00Z', cwd: '/gone/tree', source: 'cli', git: { repository_url } }
    const content = [{ type: 'input_text', text: words }]
    const lines = [
      { type: 'session_meta', payload: meta },
      { type: 'response_item', payload: { type: 'message', role: 'user', content } },
    ]
    const text = lines.map((line) => JSON.stringify({ timestamp: '2026-03-02T08:00:00Z', ...line })).join('\n')
    put(folders, `.codex/sessions/2026/03/02/rollout-${id}.jsonl`, text)
  }
  codex(IDS[0] ?? '', 'Never push to main.', 'https://github.com/lake/heron')
  codex(IDS[1] ?? '', 'Always push to main.', 'https://github.com/lake/other')
  const { stdout } = await pith(folders, ['memory'])
  expect(stdout).toContain('“Never push to main.”')
  expect(stdout).not.toContain('Always push')
})

it('a recorded session has no rules unless the agent’s own file shows that a person gave the orders', async () => {
  const folders = configFolders()
  const { workspace, env } = folders
  const store = await openStore(join(env.PITH_HOME ?? '', 'pith.db'))
  const say = async (words: string) => {
    const { id } = await store.createSession({ owner: LOCAL_OWNER, workspace })
    await store.append(id, [{ type: 'message', message: { role: 'user', content: words } }])
    return id
  }
  await say('Never push to main.')
  await store.markChain(await say('Always deploy on a Friday.'), [{ value: 'v', seq: 1 }], 'here')
  await store.close()
  const { stdout } = await pith(folders, ['memory'])
  expect(stdout).toContain('“Never push to main.”')
  expect(stdout).not.toContain('Friday')
})

describe('the handle of a line', () => {
  it('is opened by pith recall', async () => {
    const folders = worked()
    await pith(folders, ['memory'])
    const { stdout, code } = await pith(folders, ['recall', '11111111#1'])
    expect(code).toBe(0)
    expect(stdout).toContain('Never push to main. Read a.ts.')
  })

  it('that no session has is one line', async () => {
    const { stderr, code } = await pith(worked(), ['recall', '33333333#1'])
    expect(code).not.toBe(0)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})

describe('pin, forget, export, on and off', () => {
  it('a pinned line is shown first, and forgotten by its number', async () => {
    const folders = worked()
    await pith(folders, ['memory', 'pin', 'the', 'server  is reset', 'at noon'])
    expect((await pith(folders, ['memory'])).stdout).toMatch(/ {2}1 the server is reset at noon \(pinned /)
    await pith(folders, ['memory', 'forget', '1'])
    expect((await pith(folders, ['memory'])).stdout).not.toContain('noon')
  })

  it('a forgotten line does not come back, nor is it in the page that was kept', async () => {
    const folders = worked()
    const { stdout } = await pith(folders, ['memory', 'forget', 'push to main'])
    expect(stdout).toContain('Forgotten: “Never push to main.”')
    expect(pagesOf(folders)).toEqual([])
    expect((await pith(folders, ['memory'])).stdout).not.toContain('push to main')
  })

  it('the export has rules and commands', async () => {
    const { stdout } = await pith(worked(), ['memory', 'export'])
    const rules = '## Rules\n\n- Always write in English.\n- Never push to main.\n'
    expect(stdout).toBe(`${rules}\n## Build, test and run\n\n- test: \`npm test\`\n`)
  })

  it('off is remembered, and shown', async () => {
    const folders = worked()
    await pith(folders, ['memory', 'off'])
    expect((await pith(folders, ['memory'])).stderr).toContain('It is off for this project')
    await pith(folders, ['memory', 'on'])
    expect((await pith(folders, ['memory'])).stderr).not.toContain('off')
  })

  it('an editor changes pins and forgets lines', async () => {
    const folders = worked()
    await pith(folders, ['memory', 'pin', 'old pin'])
    const editor = put(folders, 'edit.sh', '#!/bin/sh\nsed -i -e "s/^+ old pin/+ new pin/" -e "/push to main/d" "$1"\n')
    chmodSync(editor, 0o700)
    const { code } = await pith(folders, ['memory', 'edit'], { EDITOR: editor })
    expect(code).toBe(0)
    const { stdout } = await pith(folders, ['memory'])
    expect(stdout).toContain('new pin')
    expect(stdout).not.toMatch(/old pin|push to main/)
  })
})

describe('bad input is one line', () => {
  it.each([
    [['memory', 'forget', '99'], 'there is no line 99'],
    [['memory', 'forget', 'zebra'], 'no line of the memory has “zebra”'],
    [['memory', 'forget', '2026'], 'there is no line 2026'],
    [['memory', 'pin', ' '], 'there is nothing to pin'],
    [['memory', 'pin', 'x'.repeat(500)], 'at most 400'],
    [['memory', 'edit'], 'no editor is set'],
    [['memory', 'nonsense'], 'nonsense'],
  ])('%j', async (args, text) => {
    const { stderr, code } = await pith(worked(), args, { EDITOR: '', VISUAL: '' })
    expect(code).not.toBe(0)
    expect(stderr).toContain(text)
    expect(stderr).not.toContain('    at ')
  })

  it('an editor that fails changes nothing', async () => {
    const folders = worked()
    const { stderr, code } = await pith(folders, ['memory', 'edit'], { EDITOR: 'false' })
    expect(code).not.toBe(0)
    expect(stderr).toContain('false did not end well')
    expect((await pith(folders, ['memory'])).stdout).toContain('push to main')
  })

  it('too many pins are refused', async () => {
    const folders = worked()
    let last = await pith(folders, ['memory', 'pin', 'first'])
    for (let i = 0; i < 30 && last.code === 0; i++)
      last = await pith(folders, ['memory', 'pin', `line ${i} ${'lake heron reeds '.repeat(20)}`])
    expect(last.stderr).toContain('the pinned lines are too long together')
  })
})

it('two at once both finish', async () => {
  const folders = worked()
  const run = async (args: readonly string[]) => {
    const env = { PATH: process.env.PATH, HOME: folders.home, ...folders.env }
    const child = spawn(process.execPath, [inject('program'), ...args], { cwd: folders.workspace, env })
    return (await once(child, 'close'))[0]
  }
  expect(await Promise.all([run(['memory']), run(['memory'])])).toEqual([0, 0])
  expect(pithProcess(folders, ['memory']).stdout).toContain('Never push to main.')
})

it('Ctrl-C ends it within its work', async () => {
  const folders = worked()
  const long = Array.from({ length: 400 }, (_, i) => user(`step ${i} ${'word '.repeat(2_000)}`))
  claude(folders, 1, long)
  const env = { PATH: process.env.PATH, HOME: folders.home, ...folders.env }
  const child = spawn(process.execPath, [inject('program'), 'memory'], { cwd: folders.workspace, env, stdio: 'pipe' })
  let errors = ''
  child.stderr.on('data', (piece) => {
    errors += piece
  })
  const index = join(folders.env.PITH_HOME ?? '', 'agent-index.db')
  while (!readable(index)) await new Promise(setImmediate)
  child.kill('SIGINT')
  const [code] = await once(child, 'close')
  // It may have been done already.
  expect([0, 130]).toContain(code)
  expect(errors).not.toContain('    at ')
})

function readable(path: string): boolean {
  try {
    return readFileSync(path).length > 0
  } catch {
    return false
  }
}
