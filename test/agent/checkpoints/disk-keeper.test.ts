import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { ContentStore, keptHash } from '../../../src/agent/checkpoints/content-store.ts'
import { DiskKeeper } from '../../../src/agent/checkpoints/disk-keeper.ts'
import { fileSpans } from '../../../src/agent/checkpoints/rewind-files.ts'
import { indexDelta } from '../../../src/engine/extract/index-delta.ts'
import type { EntryOf } from '../../../src/model/types.ts'
import { type AgentWorld, type AgentWorldOptions, agentWorld } from '../../support/agent-world.ts'
import { calling, saidTo, scriptedBrain } from '../../support/scripted-brain.ts'

const SIGNAL = new AbortController().signal
const hashOf = (text: string) => keptHash(Buffer.from(text))

/** A keeper over a folder with the file `a`, and its notices for the user. */
function keeping() {
  const folder = mkdtempSync(join(tmpdir(), 'pith-keeper-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const workspace = join(folder, 'work')
  mkdirSync(workspace)
  writeFileSync(join(workspace, 'a'), 'one')
  const contents = new ContentStore(join(folder, 'kept'))
  const notices: string[] = []
  let added = 0
  const deps = {
    workspace,
    session: 's',
    contents,
    onAdded: () => added++,
    notify: (text: string) => notices.push(text),
  }
  const names = () =>
    readFileSync(join(contents.folder, 'refs', 's'), 'utf8')
      .trim()
      .split('\n')
  return { workspace, contents, notices, names, added: () => added, keeper: new DiskKeeper(deps), deps }
}

describe('before a call', () => {
  it('that reads nothing is kept', async () => {
    const { keeper, contents } = keeping()
    const { draft, after: ended } = await keeper.before({ kind: 'read', path: 'a', outside: false }, 'c', SIGNAL)
    expect([draft, await ended()]).toEqual([undefined, { files: [] }])
    expect(existsSync(contents.folder)).toBe(false)
  })

  it('that edits, the file is kept and named for the session', async () => {
    const { keeper, names, added } = keeping()
    const { draft } = await keeper.before({ kind: 'edit', path: 'a', outside: false }, 'c', SIGNAL)
    expect(draft).toEqual({
      type: 'checkpoint',
      toolCallId: 'c',
      files: [{ path: 'a', before: hashOf('one'), mode: expect.any(Number) }],
    })
    expect(names()).toEqual([hashOf('one')])
    expect(added()).toBe(1)
  })

  it('that runs a command, and after it, what changed is kept and reported as facts', async () => {
    const { keeper, workspace, names } = keeping()
    const { draft, after: ended } = await keeper.before({ kind: 'command', command: 'x' }, 'c', SIGNAL)
    expect(draft).toBeUndefined()
    writeFileSync(join(workspace, 'b'), 'two')
    rmSync(join(workspace, 'a'))
    expect(await ended()).toEqual({
      draft: {
        type: 'checkpoint',
        toolCallId: 'c',
        files: [
          { path: 'a', before: hashOf('one'), after: null, mode: expect.any(Number) },
          { path: 'b', before: null, after: hashOf('two') },
        ],
      },
      files: [
        { path: 'a', access: 'deleted' },
        { path: 'b', access: 'modified' },
      ],
    })
    expect(names()).toEqual([hashOf('one'), hashOf('two')])
  })

  it('that is interrupted, nothing is kept and no notice is sent', async () => {
    const { keeper, notices } = keeping()
    const { after: ended } = await keeper.before({ kind: 'command', command: 'x' }, 'c', AbortSignal.abort())
    expect(await ended()).toEqual({ files: [] })
    expect(notices).toEqual([])
  })

  it('the user is notified once when nothing can be kept', async () => {
    const { keeper, notices, contents } = keeping()
    writeFileSync(contents.folder, 'a file instead of the folder')
    for (const id of ['c', 'd']) await keeper.before({ kind: 'edit', path: 'a', outside: false }, id, SIGNAL)
    expect(notices).toEqual([
      expect.stringMatching(/^Files cannot be saved before calls change them, so \/rewind cannot restore them: /),
    ])
  })
})

it('what a command changed whose process died is found by the next one', async () => {
  const { keeper, workspace, contents, deps, names } = keeping()
  await keeper.before({ kind: 'command', command: 'x' }, 'c', SIGNAL)
  writeFileSync(join(workspace, 'a'), 'two')
  const own = join(contents.folder, 'pending', `s.${process.pid}`)
  // No system gives a process this number.
  writeFileSync(join(contents.folder, 'pending', `s.${2 ** 30}`), readFileSync(own))
  const next = new DiskKeeper(deps)
  expect(await next.lost()).toEqual([
    { type: 'checkpoint', files: [{ path: 'a', before: hashOf('one'), mode: expect.any(Number) }] },
  ])
  expect(names()).toEqual([hashOf('one')])
  expect(await next.lost()).toEqual([])
})

describe('the files that calls change', () => {
  let world: AgentWorld
  afterEach(() => world.close())

  const put = (path: string, text: string) => writeFileSync(join(world.workspace, path), text)
  const command = (text: string) => calling('bash', { command: text })

  async function does(
    steps: Parameters<typeof scriptedBrain>[0]['steps'],
    files: Record<string, string> = {},
    more: Partial<AgentWorldOptions> = {},
  ) {
    world = await agentWorld({ settings: { checkpointMb: 500 }, ...more, brain: scriptedBrain({ steps }) })
    for (const [path, text] of Object.entries(files)) put(path, text)
    await world.say('Do it.')
    const { entries } = await world.store.entries(world.session)
    return { entries, kept: entries.filter((entry): entry is EntryOf<'checkpoint'> => entry.type === 'checkpoint') }
  }

  it('are in the log before an edit, with their rights, and after a command', async () => {
    const { entries, kept } = await does(
      [calling('write', { path: 'new.txt', content: 'x' }), command('echo more >> old.txt && rm gone.txt')],
      { 'old.txt': 'old\n', 'gone.txt': 'gone\n' },
    )
    const types = entries.map((entry) => (entry.type === 'message' ? entry.message.role : entry.type))
    expect(types).toEqual(['user', 'assistant', 'checkpoint', 'tool', 'assistant', 'checkpoint', 'tool', 'assistant'])
    expect(kept.map(({ files }) => files)).toMatchObject([
      [{ path: 'new.txt', before: null }],
      [
        { path: 'gone.txt', before: expect.any(String), after: null },
        { path: 'old.txt', before: expect.any(String), after: expect.any(String), mode: expect.any(Number) },
      ],
    ])
    expect(fileSpans(entries).map(({ path }) => path)).toEqual(['gone.txt', 'new.txt', 'old.txt'])
  })

  it('are the facts of the ledger too, and a file that a command wrote has to be read before it is edited', async () => {
    const steps = [
      calling('read', { path: 'a.txt' }),
      command('python3 -c 1; printf two > a.txt'),
      calling('edit', { path: 'a.txt', edits: [{ oldText: 'two', newText: 'three' }] }),
    ]
    await does(steps, { 'a.txt': 'one' })
    expect(saidTo(world.server.requests.at(-1)?.request)).toContain('has changed since you last saw it')
    const { files } = indexDelta(world.agent.live.view.items.slice())
    expect(files).toContainEqual(expect.objectContaining({ path: 'a.txt', access: 'modified' }))
  })

  it('are facts of the ledger only while a command changes no more than twenty', async () => {
    const script = (name: string, most: number) => `for i in $(seq ${most}); do echo > ${name}$i; done`
    const { kept } = await does([command(script('few', 20)), command(script('many', 21))])
    expect(kept.map(({ files }) => files.length)).toEqual([20, 21])
    const known = indexDelta(world.agent.live.view.items.slice()).files?.map(({ path }) => path) ?? []
    expect(known.filter((path) => /^few\d/.test(path))).toHaveLength(20)
    expect(known.filter((path) => /^many\d/.test(path))).toEqual([])
  })

  it('are not kept if .gitignore names them, and not if they are huge, which is reported', async () => {
    const { kept } = await does([command('echo x > ignored.log; echo y >> huge.bin; echo z > seen.txt')], {
      '.gitignore': '*.log\n',
      'huge.bin': 'x'.repeat(9_000_000),
    })
    expect(kept.flatMap(({ files }) => files)).toMatchObject([
      { path: 'huge.bin', unkept: 'it is too large to be kept' },
      { path: 'seen.txt', before: null },
    ])
  })

  it('are nothing when a command only reads, or touches a file', async () => {
    const { kept } = await does([command('cat a.txt; touch a.txt')], { 'a.txt': 'a' })
    expect(kept).toEqual([])
  })

  it('are private, outside of the workspace, and leave git alone', async () => {
    await does([command('echo b >> a.txt')], { 'a.txt': 'a' })
    const folder = join(world.folder, 'data', 'checkpoints')
    const [name = ''] = readdirSync(folder)
    const contents = join(folder, name, 'contents')
    expect(statSync(contents).mode & 0o077).toBe(0)
    expect(existsSync(join(world.workspace, '.git'))).toBe(false)
    // No command is running any more.
    expect(readdirSync(join(folder, name, 'pending')).every((file) => file.endsWith('.done'))).toBe(true)
  })

  it('are not kept at all when the setting is 0', async () => {
    const { kept } = await does([command('echo b >> a.txt')], { 'a.txt': 'a' }, { settings: { checkpointMb: 0 } })
    expect(kept).toEqual([])
  })

  it('do not stop a call when they cannot be kept', async () => {
    const brain = scriptedBrain({ steps: [calling('write', { path: 'a.txt', content: 'new' })] })
    world = await agentWorld({ brain, settings: { checkpointMb: 500 } })
    writeFileSync(join(world.folder, 'data', 'checkpoints'), 'a file instead of the folder')
    put('b.txt', '')
    mkdirSync(join(world.workspace, 'c'))
    await world.say('Do it.')
    expect(readFileSync(join(world.workspace, 'a.txt'), 'utf8')).toBe('new')
  })
})
