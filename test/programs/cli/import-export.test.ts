import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pith } from '../../support/cli.ts'
import { configFolders } from '../../support/config-folders.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures/formats')

describe('pith import', () => {
  it('keeps the log of another agent: messages, models, usage, times, folder, compactions', async () => {
    const folders = configFolders()
    const file = join(FIXTURES, 'claude-code-compacted.jsonl')
    const { stdout, stderr, code } = await pith(folders, ['import', file])
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    const [, id = ''] =
      /^Imported \d+ messages with \d+ tool calls? from Claude Code as ([0-9a-f-]{36})\n/.exec(stdout) ?? []
    const original = JSON.parse((await pith(folders, ['inspect', file, '--json'])).stdout)
    const stored = JSON.parse((await pith(folders, ['inspect', id, '--json'])).stdout)
    expect(stored.session).toMatchObject({
      agent: 'Pith',
      id,
      workspace: original.session.workspace,
      models: original.session.models,
    })
    expect(stored.session.counts.messages).toBe(original.session.counts.messages)
    expect({ ...stored.spending }).toEqual({ ...original.spending })
    expect(stored.compactions).toBe(original.compactions)
    const times = (look: typeof stored) => look.requests.map(({ at }: { at: number }) => at)
    for (const [i, at] of times(stored).entries()) expect(Math.abs(at - times(original)[i])).toBeLessThan(30_000)
  })

  it('takes a session that was left in the middle of a call, and compacts it', async () => {
    const folders = configFolders()
    const file = join(folders.workspace, 'talk.json')
    const said = Array.from({ length: 40 }, (_, i) => ({
      role: i % 2 === 0 ? 'user' : 'assistant',
      content: `message ${i} ${'about the upload '.repeat(200)}`,
    }))
    const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'bash', input: { command: 'npm test' } }
    const asked = { role: 'user', content: 'Run the tests.' }
    writeFileSync(file, JSON.stringify([...said, asked, { role: 'assistant', content: [call] }]))
    const { id } = JSON.parse((await pith(folders, ['import', file, '--json'])).stdout)
    expect((await pith(folders, ['compact', id, '--offline'])).stdout).toContain('✓ Compacted')
  })

  it('takes our own export back as it was, at the same numbers', async () => {
    const folders = configFolders()
    const { id } = JSON.parse((await pith(folders, ['import', 'example', '--json'])).stdout)
    await pith(folders, ['compact', id, '--offline'])
    const file = join(folders.workspace, 'log.jsonl')
    expect((await pith(folders, ['export', id, '--out', file])).code).toBe(0)
    const { id: again } = JSON.parse((await pith(folders, ['import', 'log.jsonl', '--json'])).stdout)
    expect(again).not.toBe(id)
    const view = async (id: string) => (await pith(folders, ['export', id, '--to', 'ai-sdk'])).stdout
    expect(await view(again)).toBe(await view(id))
  })

  it.each(['compact', 'export'])('keeps the window of its agent in a file that %s --to pith wrote', async (command) => {
    const folders = configFolders()
    const out = join(folders.workspace, 'log.jsonl')
    const file = join(folders.workspace, 'rollout.jsonl')
    const rollout = readFileSync(join(FIXTURES, 'codex-compacted.jsonl'), 'utf8')
    writeFileSync(file, rollout.replaceAll('"model_context_window":272000', '"model_context_window":54321'))
    expect((await pith(folders, [command, file, '--to', 'pith', '--out', out])).code).toBe(0)
    const look = async (what: string) => JSON.parse((await pith(folders, ['inspect', what, '--json'])).stdout)
    expect((await look(file)).status.window).toBe(54_321)
    expect((await look(out)).status.window).toBe(54_321)
    const { id } = JSON.parse((await pith(folders, ['import', out, '--json'])).stdout)
    expect((await look(id)).status.window).toBe(54_321)
  })

  it('leaves the place of an entry that the file lacks', async () => {
    const folders = configFolders()
    const file = join(folders.workspace, 'log.jsonl')
    const lines = (await pith(folders, ['export', 'example'])).stdout.trimEnd().split('\n')
    writeFileSync(file, `${lines.toSpliced(2, 1).join('\n')}\n`)
    const { id } = JSON.parse((await pith(folders, ['import', file, '--json'])).stdout)
    const [entry] = JSON.parse((await pith(folders, ['recall', '#17', '--session', id, '--json'])).stdout)
    expect(entry.message.content).toContain('Keep the 30 s as the default')
  })
})

describe('pith export', () => {
  it('prints to standard output, and into a file only a new one', async () => {
    const folders = configFolders()
    const messages = JSON.parse((await pith(folders, ['export', 'example', '--to', 'openai-chat'])).stdout)
    expect(messages[0]).toMatchObject({ role: 'user', content: expect.stringContaining('Uploads larger') })
    const file = join(folders.workspace, 'talk.md')
    expect((await pith(folders, ['export', 'example', '--to', 'markdown', '--out', file])).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toContain('# Hand-off')
    expect((await pith(folders, ['export', 'example', '--out', file])).stderr).toContain('exists already')
  })

  it('says how the agent continues that a file was written for', async () => {
    const folders = configFolders()
    const { stderr } = await pith(folders, ['export', 'example', '--to', 'claude-code', '--out', 'session.jsonl'])
    expect(stderr).toMatch(
      /To continue: copy it to ~\/\.claude\/projects\/.+\.jsonl, then claude --resume [0-9a-f-]{36}\n$/,
    )
  })

  it('turns one agent’s session into another’s', async () => {
    const folders = configFolders()
    const { stdout } = await pith(folders, ['export', join(FIXTURES, 'codex.jsonl'), '--to', 'pi'])
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({ type: 'session' })
  })
})

describe('pith recall', () => {
  it('finds what was said, also what a compaction replaced, and gives it back word for word', async () => {
    const folders = configFolders()
    const { id } = JSON.parse((await pith(folders, ['import', 'example', '--json'])).stdout)
    await pith(folders, ['compact', id, '--offline'])
    const { stdout, code } = await pith(folders, ['recall', 'Never', 'change', 'the', 'public', 'API'])
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^Pith ${id.slice(0, 8)} #1 `, 'm'))
    expect((await pith(folders, ['recall', '#17', '--session', id.slice(0, 8)])).stdout).toBe(
      '#17 (user)\n[User]: Good. Keep the 30 s as the default, and add a test that uploads slowly.\n',
    )
  })

  it('says that nothing was found, and on a machine without sessions how to get one', async () => {
    const folders = configFolders()
    expect(await pith(folders, ['recall', 'quux'])).toEqual({
      stdout: 'Nothing was found for `quux` in 0 entries.\n',
      stderr: 'There is no session to search yet: pith import example makes one to try it on\n',
      code: 0,
    })
    await pith(folders, ['import', 'example'])
    for (const query of ['quux', 'tool:none'])
      expect(await pith(folders, ['recall', query])).toMatchObject({ stderr: '', code: 0 })
  })

  it('needs a session for a handle', async () => {
    const folders = configFolders()
    await pith(folders, ['import', 'example'])
    const { stderr, code } = await pith(folders, ['recall', '#3'])
    expect({ stderr, code }).toEqual({
      stderr: 'pith: #3 is an entry of one session: name it with --session ID\n',
      code: 2,
    })
    expect((await pith(folders, ['recall', '#3', '--session', 'nope'])).stderr).toContain(
      'there is no file and no session nope: pith sessions lists them',
    )
  })
})
