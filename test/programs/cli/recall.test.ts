import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ContentStore } from '../../../src/agent/checkpoints/content-store.ts'
import { redactWithContents } from '../../../src/agent/checkpoints/open-keeper.ts'
import type { Message } from '../../../src/model/types.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { pith } from '../../support/cli.ts'
import { type ConfigFolders, configFolders } from '../../support/config-folders.ts'
import { assistant, user } from '../../support/messages.ts'
import { makeOpencodeDatabase } from '../../support/opencode-database.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures/formats')
const CLAUDE = '7d1a2b3c-1111-4222-8333-444455556666'

/** The same small session as each agent keeps it. */
const AGENTS: readonly (readonly [agent: string, fixture: string, place: string])[] = [
  ['Claude Code', 'claude-code.jsonl', `.claude/projects/-repo/${CLAUDE}.jsonl`],
  ['Codex', 'codex.jsonl', '.codex/sessions/2026/03/01/rollout-1.jsonl'],
  ['pi', 'pi-v3.jsonl', '.pi/agent/sessions/--repo--/2026-03-01_pi-one.jsonl'],
  ['Gemini CLI', 'gemini.json', '.gemini/tmp/abc/chats/session-gem-one.json'],
  ['Copilot CLI', 'copilot.jsonl', '.copilot/session-state/cop-one/events.jsonl'],
  ['qwen-code', 'qwen-code.jsonl', '.qwen/projects/-repo/chats/qwen-one.jsonl'],
]

type FoundHit = { readonly agent: string; readonly session: string; readonly seq: number; readonly snippet: string }

async function recalled(folders: ConfigFolders, ...args: string[]): Promise<readonly FoundHit[]> {
  const { stdout, stderr } = await pith(folders, ['recall', ...args, '--json', '--limit', '30'])
  expect(stderr).toBe('')
  return JSON.parse(stdout).hits
}

function put(folders: ConfigFolders, place: string, text: string): string {
  const file = join(folders.home, place)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

/** A session of Claude Code in which these texts were said. */
function claude(folders: ConfigFolders, texts: readonly string[], { id = CLAUDE, cwd = '/elsewhere' } = {}): string {
  return put(folders, `.claude/projects/-x/${id}.jsonl`, texts.map((text, i) => said(text, i, { id, cwd })).join(''))
}

function said(text: string, i: number, { id = CLAUDE, cwd = '/elsewhere' } = {}): string {
  const role = i % 2 === 0 ? 'user' : 'assistant'
  const at = {
    sessionId: id,
    cwd,
    timestamp: new Date(1_772_000_000_000 + i * 1_000).toISOString(),
    isSidechain: false,
  }
  const message = { role, id: `m${i}`, content: [{ type: 'text', text }] }
  return `${JSON.stringify({ uuid: `u${i}`, parentUuid: i === 0 ? null : `u${i - 1}`, type: role, message, ...at })}\n`
}

/** Sessions as a gateway records them. */
async function recorded(folders: ConfigFolders, sessions: readonly (readonly Message[])[]): Promise<string[]> {
  const store = await openStore(join(dirname(folders.userFile), 'pith.db'))
  const ids: string[] = []
  for (const messages of sessions) {
    const { id } = await store.createSession({ owner: 'local', workspace: '/elsewhere' })
    const chain = { holder: 'host:1', values: messages.map((_, i) => `${id} ${i}`) }
    await store.append(
      id,
      messages.map((message) => ({ type: 'message', message })),
      { chain },
    )
    ids.push(id)
  }
  await store.close()
  return ids
}

describe('pith recall', () => {
  it('finds what was said in the files of every agent, and gives an entry back from there', async () => {
    const folders = configFolders()
    for (const [, fixture, place] of AGENTS) {
      mkdirSync(dirname(join(folders.home, place)), { recursive: true })
      cpSync(join(FIXTURES, fixture), join(folders.home, place))
    }
    const opencode = JSON.parse(readFileSync(join(FIXTURES, 'opencode.json'), 'utf8'))
    makeOpencodeDatabase(join(folders.home, '.local/share/opencode/opencode.db'), opencode)
    const hits = await recalled(folders, 'never touch legacy', 'role:user')
    const agents = [...AGENTS.map(([agent]) => agent), 'opencode']
    expect(hits.map(({ agent }) => agent).toSorted()).toEqual(agents.toSorted())
    for (const { session, seq } of hits) {
      const { stdout } = await pith(folders, ['recall', `#${seq}`, '--session', session])
      expect(stdout).toContain('Never touch src/legacy.ts.')
    }
    const { stdout } = await pith(folders, ['recall', 'legacy', '--limit', '1', 'session:7d1a'])
    expect(stdout).toContain(`Claude Code 7d1a2b3c #`)
    expect(stdout).toContain(`--session 7d1a2b3c`)
  })

  it('ranks our sessions and the files of other agents together', async () => {
    const folders = configFolders()
    await pith(folders, ['import', 'example'])
    claude(folders, ['Where is the heron?', 'The heron waits for a parallel upload.'])
    expect((await recalled(folders, 'heron parallel upload'))[0]).toMatchObject({
      agent: 'Claude Code',
      session: CLAUDE,
      seq: 2,
    })
    const all = await recalled(folders, 'upload')
    expect(new Set(all.map(({ agent }) => agent))).toEqual(new Set(['Pith', 'Claude Code']))
  })

  it('looks only into one session, or into those of this folder', async () => {
    const folders = configFolders()
    const file = claude(folders, ['The heron of elsewhere', 'Yes'])
    const here = '0b6c1f7e-1111-4222-8333-444455556666'
    claude(folders, ['The heron of here', 'Yes'], { id: here, cwd: folders.workspace })
    expect(await recalled(folders, 'heron')).toHaveLength(2)
    expect(await recalled(folders, 'heron', '--here')).toMatchObject([{ session: here }])
    for (const session of [file, CLAUDE.slice(0, 8)])
      expect(await recalled(folders, 'heron', '--session', session)).toMatchObject([
        { snippet: 'The heron of elsewhere' },
      ])
  })

  it('knows what an agent has added, changed and deleted since, and reads no other file again', async () => {
    const folders = configFolders()
    const file = claude(folders, ['The heron', 'Yes'])
    expect(await recalled(folders, 'heron')).toHaveLength(1)
    appendFileSync(file, said('The newt', 2))
    expect(await recalled(folders, 'newt')).toMatchObject([{ seq: 3 }])
    expect(await recalled(folders, 'heron')).toMatchObject([{ seq: 1 }])
    const { atime, mtime } = statSync(file)
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace('heron', 'stork'))
    utimesSync(file, atime, mtime)
    expect(await recalled(folders, 'stork')).toEqual([])
    utimesSync(file, atime, new Date(mtime.getTime() + 5_000))
    expect(await recalled(folders, 'stork')).toMatchObject([{ seq: 1 }])
    expect(await recalled(folders, 'heron')).toEqual([])
    expect(await recalled(folders, 'newt')).toMatchObject([{ seq: 3 }])
    rmSync(file)
    expect(await recalled(folders, 'newt')).toEqual([])
  })

  it('deletes the index with one command, and makes it again', async () => {
    const folders = configFolders()
    claude(folders, ['The heron', 'Yes'])
    await recalled(folders, 'heron')
    const index = join(dirname(folders.userFile), 'agent-index.db')
    expect(statSync(index).mode & 0o777).toBe(0o600)
    expect((await pith(folders, ['store', 'forget-index'])).stdout).toContain(index)
    expect(existsSync(index)).toBe(false)
    expect(await recalled(folders, 'heron')).toHaveLength(1)
    writeFileSync(index, 'not a database'.repeat(500))
    expect(await recalled(folders, 'heron')).toHaveLength(1)
  })

  it('has a conversation once that a gateway recorded and the agent wrote down, and lists it once', async () => {
    const folders = configFolders()
    const answers = [
      'The heron waits for its turn beside the upload queue.',
      'The newt has taken its place in the queue.',
    ]
    const texts = ['Where is the heron?', answers[0] ?? '', 'And the newt?', answers[1] ?? '']
    const file = claude(folders, texts)
    const [id, other] = await recorded(folders, [
      [
        user('<system-reminder>Today</system-reminder>\nWhere is the heron?'),
        assistant(texts[1] ?? ''),
        user('And the newt?'),
        assistant(texts[3] ?? ''),
      ],
      [user('Where is the heron?'), assistant('Nobody knows where the heron of this morning is now.')],
    ])
    const sessions = async () => JSON.parse((await pith(folders, ['sessions', '--json'])).stdout)
    expect(await recalled(folders, 'newt queue')).toMatchObject([{ session: id, seq: 4, agent: 'Pith' }])
    expect((await sessions()).map((each: { id: string; agent: string }) => [each.id, each.agent])).toEqual(
      expect.arrayContaining([
        [id, 'Claude Code'],
        [other, 'Pith'],
      ]),
    )
    expect(await sessions()).toHaveLength(2)
    appendFileSync(
      file,
      ['And now?', 'Without the gateway only this file says what became of the newt.']
        .concat(
          Array.from({ length: 50 }, (_, i) => `The file continues on its own with the long sentence number ${i}.`),
        )
        .map((text, i) => said(text, i + 4))
        .join(''),
    )
    expect((await recalled(folders, 'without gateway'))[0]).toMatchObject({ session: CLAUDE, seq: 6 })
    expect(await sessions()).toHaveLength(3)
  })

  it('neither finds nor shows in the files of agents what was redacted in Pith', async () => {
    const folders = configFolders()
    claude(folders, [
      'My key is sk-live-51Hx9zQw77 for the heron',
      'Never tell the newt',
      'Never tell the newt!',
      'Fine',
    ])
    const data = dirname(folders.userFile)
    const secrets = [user('Use the key sk-live-51Hx9zQw77 here'), assistant('Never tell the newt')]
    const [id = ''] = await recorded(folders, [secrets])
    const found = async () => [...(await recalled(folders, 'heron')), ...(await recalled(folders, 'newt'))]
    expect((await found()).filter(({ agent }) => agent === 'Claude Code')).toHaveLength(2)
    const store = await openStore(join(data, 'pith.db'))
    const contents = new ContentStore(join(data, 'checkpoints'))
    await redactWithContents({ store, contents, id, folder: data }, [1, 2])
    await store.close()
    expect(await found()).toMatchObject([{ session: CLAUDE, seq: 3 }])
    expect((await pith(folders, ['recall', '#1-#3', '--session', CLAUDE])).stdout).not.toMatch(/sk-live|newt\n/)
    for (const file of readdirSync(data)) expect(readFileSync(join(data, file), 'latin1')).not.toMatch(/51Hx9zQw77/i)
  })

  it('leaves out a file that no agent has written', async () => {
    const folders = configFolders()
    put(folders, '.claude/projects/-x/broken.jsonl', 'The heron\n')
    claude(folders, ['The heron', 'Yes'])
    expect(await recalled(folders, 'heron')).toHaveLength(1)
  })

  it.each([
    [[''], 2, 'There is nothing to search for: write words, "a phrase" or a filter such as role:user'],
    [['role:bot', 'heron'], 2, '`role:bot` is not a filter: write one of role:user, role:assistant, role:tool'],
    [['files:a.ts'], 2, '`files:a.ts` is not a filter: write `file:a.ts`, or `"files:a.ts"` to find the text'],
    [['#1, #3-#4'], 2, '#1, #3-#4 are entries of one session: name it with --session ID'],
    [['#1-', '--session', CLAUDE], 2, '`#1-` is not a handle: write #12, or #12-#20 for a range'],
  ])('of %j ends with %i and one line', async (args, code, line) => {
    const folders = configFolders()
    claude(folders, ['The heron', 'Yes'])
    expect(await pith(folders, ['recall', ...args])).toEqual({ stdout: '', stderr: `pith: ${line}\n`, code })
  })

  it.each([
    [
      ['session:zzzz'],
      'Nothing was found for `session:zzzz`: no entry fits `session:zzzz`. Change it or leave it out.',
    ],
    [['heron', '--page', '7'], '1 entry of 2 matches, but page 7 is after the last: begin with --page 1.'],
    [['heron'], `1 entry of 2 matches; verbatim: pith recall '#1' --session 7d1a2b3c`],
    [['heron', 'yes', '--limit', '1'], `2 entries of 2 match; verbatim: pith recall '#1' --session 7d1a2b3c`],
    [
      ['*'],
      'Nothing was found for `*` in 2 entries. Signs and words such as `the` are not indexed: add a word that says more.',
    ],
  ])('of %j ends with one line about what was found', async (args, line) => {
    const folders = configFolders()
    claude(folders, ['The heron', 'Yes'])
    const { stdout, stderr, code } = await pith(folders, ['recall', ...args])
    expect([stdout.trimEnd().split('\n').at(-1), stderr, code]).toEqual([line, '', 0])
  })

  it('finds what a sub-agent said, and gives it back by its name', async () => {
    const folders = configFolders()
    const lines = ['Which bird nests there?', 'The heron nests at the pier.'].map((text, i) => {
      const line = JSON.parse(said(text, i))
      const parentUuid = i === 0 ? null : 's0'
      return `${JSON.stringify({ ...line, uuid: `s${i}`, parentUuid, isSidechain: true })}\n`
    })
    appendFileSync(claude(folders, ['Ask somebody.', 'Yes']), lines.join(''))
    const found = await pith(folders, ['recall', 'heron', '--session', CLAUDE])
    expect(found.stdout).toContain('task-1#2')
    const { stdout, stderr, code } = await pith(folders, ['recall', 'task-1#2', '--session', CLAUDE])
    expect([stderr, code]).toEqual(['', 0])
    expect(stdout).toContain('The heron nests at the pier.')
    const other = await pith(folders, ['recall', 'task-2#1', '--session', CLAUDE])
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('has no sub-agent task-2') })
  })

  it('gives back the entries that there are, and names those that there are not', async () => {
    const folders = configFolders()
    claude(folders, ['The heron', 'Yes'])
    const { stdout, stderr, code } = await pith(folders, ['recall', '#1, #7-#9', '--session', CLAUDE])
    expect(stdout).toContain('The heron')
    expect([stderr, code]).toEqual(['There is no entry #7-#9.\n', 0])
    const stored = ['import', join(folders.home, `.claude/projects/-x/${CLAUDE}.jsonl`)]
    const id = /[0-9a-f-]{36}/.exec((await pith(folders, stored)).stdout)?.[0] ?? ''
    for (const session of [CLAUDE, id]) {
      const none = await pith(folders, ['recall', '#9', '--session', session])
      expect(none.stderr).toMatch(/^pith: .* has no entry #9: its entries are #1 to #\d\n$/)
      expect(none.code).toBe(1)
    }
  })
})
