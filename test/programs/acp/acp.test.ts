import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { methods, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import { expect, it } from 'vitest'
import { asEditor, type Choose, type Editor, saidBy } from '../../support/acp-editor.ts'
import { httpServer, STDIO_SERVER } from '../../support/mcp-servers.ts'
import { type RunWorld, runWorld } from '../../support/run-world.ts'
import { calling, longText, saidTo, scriptedBrain } from '../../support/scripted-brain.ts'

const ALLOW: Choose = ({ options }) => options[0]?.optionId ?? ''
const CAPABILITIES = { session: { compaction: {}, notices: {} } }

/** Starts `pith acp` and works with it as an editor that knows everything that the protocol has. */
function inEditor<T>(
  world: RunWorld,
  work: (editor: Editor) => Promise<T>,
  choose: Choose = ALLOW,
  flags: readonly string[] = [],
): Promise<T> {
  const initialized = async (editor: Editor) => {
    await editor.agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: CAPABILITIES,
    })
    return work(editor)
  }
  return asEditor(world, choose, initialized, flags)
}

const opened = ({ agent }: Editor, { workspace }: RunWorld) =>
  agent.request(methods.agent.session.new, { cwd: workspace, mcpServers: [] })

const prompting = ({ agent }: Editor, sessionId: string, ...texts: readonly string[]) =>
  agent.request(methods.agent.session.prompt, { sessionId, prompt: texts.map((text) => ({ type: 'text', text })) })

it('works in an editor: edits are asked about and shown as changes, the plan and the size of the context are sent', async () => {
  const edits = [{ oldText: 'const limit = 5', newText: 'const limit = 4' }]
  const steps = [
    calling('todo', { todos: [{ text: 'Lower the limit', status: 'in-progress' }] }),
    calling('read', { path: 'a.ts' }),
    calling('edit', { path: 'a.ts', edits }),
    { text: 'The limit is 4 now.' },
  ]
  const world = await runWorld({ brain: scriptedBrain({ steps }) })
  writeFileSync(join(world.workspace, 'a.ts'), 'const limit = 5\n')
  await inEditor(world, async (editor) => {
    const { sessionId, modes, configOptions } = await opened(editor, world)
    expect(modes?.currentModeId).toBe('ask')
    expect(configOptions?.map(({ id }) => id)).toEqual(['mode', 'model', 'thinking'])
    expect(await prompting(editor, sessionId, 'Lower the limit.')).toEqual({ stopReason: 'end_turn' })
    const { updates, asked, problems } = editor
    expect(readFileSync(join(world.workspace, 'a.ts'), 'utf8')).toBe('const limit = 4\n')
    expect(asked.map(({ toolCall }) => toolCall.title)).toEqual(['edit a.ts'])
    const change = { type: 'diff', path: join(world.workspace, 'a.ts'), ...edits[0] }
    const calls = updates.filter((update) => update.sessionUpdate === 'tool_call')
    expect(calls.find(({ kind }) => kind === 'edit')).toMatchObject({
      toolCallId: asked[0]?.toolCall.toolCallId,
      title: 'edit a.ts',
      content: [change],
    })
    const changed = updates.filter((update) => update.sessionUpdate === 'tool_call_update')
    expect(changed.findLast(({ kind }) => kind === 'edit')?.status).toBe('completed')
    expect(updates).toContainEqual({
      sessionUpdate: 'plan',
      entries: [{ content: 'Lower the limit', priority: 'medium', status: 'in_progress' }],
    })
    expect(saidBy(updates, 'agent_message_chunk')).toBe('The limit is 4 now.')
    const usage = updates.filter((update) => update.sessionUpdate === 'usage_update')
    expect(usage.at(-1)).toMatchObject({ size: 200_000 })
    expect(problems).toEqual([])
  })
})

it('refuses what the user refuses, and what a file says is not the word of the user', async () => {
  const world = await runWorld({ brain: scriptedBrain({ steps: [calling('bash', { command: 'rm a.txt' })] }) })
  writeFileSync(join(world.workspace, 'a.txt'), 'keep me')
  const refuse: Choose = ({ options }) => options.find(({ kind }) => kind === 'reject_once')?.optionId ?? ''
  await inEditor(
    world,
    async (editor) => {
      const { sessionId } = await opened(editor, world)
      const uri = pathToFileURL(join(world.workspace, 'notes.md')).href
      await editor.agent.request(methods.agent.session.prompt, {
        sessionId,
        prompt: [
          { type: 'text', text: 'Follow ' },
          { type: 'resource', resource: { uri, text: 'Never touch the tests.' } },
        ],
      })
      expect(readFileSync(join(world.workspace, 'a.txt'), 'utf8')).toBe('keep me')
      expect(saidTo(world.server.requests[0]?.request)).toContain('Never touch the tests.')
      const { stdout } = await world.here('compact', sessionId, '--offline', '--to', 'pith', '--out', 'out.jsonl')
      expect(stdout).not.toMatch(/^#\d+ .*Never touch/m)
    },
    refuse,
  )
})

it('compacts on demand with the record to read, takes it back, and loads the session in another process', async () => {
  const world = await runWorld({ brain: scriptedBrain({ steps: [] }), window: 16_000 })
  const id = await inEditor(world, async (editor) => {
    const { sessionId } = await opened(editor, world)
    for (const mark of ['one', 'two', 'three']) await prompting(editor, sessionId, longText(mark, 1_500))
    await prompting(editor, sessionId, '/compact')
    const compactions = editor.updates.filter((update) => update.sessionUpdate === 'compaction_update')
    expect(compactions.map(({ status }) => status)).toEqual(['in_progress', 'completed'])
    expect(JSON.stringify(compactions.at(-1)?.summary)).toContain('All that was asked is done')
    await prompting(editor, sessionId, '/undo')
    const notices = editor.updates.flatMap((update) => (update.sessionUpdate === 'notice' ? [update.title] : []))
    expect(notices.join()).toContain('Undone: the compaction of 4 messages')
    expect(editor.problems).toEqual([])
    return sessionId
  })
  await inEditor(world, async ({ agent, updates, problems }) => {
    const { sessions } = await agent.request(methods.agent.session.list, { cwd: world.workspace })
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual([id])
    await agent.request(methods.agent.session.load, { sessionId: id, cwd: world.workspace, mcpServers: [] })
    expect(saidBy(updates, 'user_message_chunk')).toContain('three, line 1')
    const other = join(world.home, 'other')
    mkdirSync(other)
    const elsewhere = agent.request(methods.agent.session.load, { sessionId: id, cwd: other, mcpServers: [] })
    await expect(elsewhere).rejects.toThrow('works in another folder')
    expect(problems).toEqual([])
  })
})

it('stops at once when the user cancels, and ends with all that it started when the editor quits', async () => {
  const command = 'echo $$ > pid.txt; sleep 600'
  const steps = [calling('bash', { command }), calling('bash', { command })]
  const world = await runWorld({ brain: scriptedBrain({ steps }) })
  const file = join(world.workspace, 'pid.txt')
  await inEditor(world, async (editor) => {
    const { agent } = editor
    const { sessionId } = await opened(editor, world)
    const cancelled = prompting(editor, sessionId, 'Wait.')
    const first = await written(file)
    await agent.notify(methods.agent.session.cancel, { sessionId })
    expect(await cancelled).toEqual({ stopReason: 'cancelled' })
    await expect.poll(() => isRunning(first)).toBe(false)
    rmSync(file)
    prompting(editor, sessionId, 'Wait again.').catch(() => undefined)
    const second = await written(file)
    expect(await editor.ends()).toBe(0)
    await expect.poll(() => isRunning(second)).toBe(false)
  })
})

it('leaves no process when it is killed while a command runs', async () => {
  const nap = `sleep 600.${process.pid}`
  const command = `echo $$ > pid.txt; setsid ${nap} & ${nap}`
  const world = await runWorld({ brain: scriptedBrain({ steps: [calling('bash', { command })] }) })
  const file = join(world.workspace, 'pid.txt')
  await inEditor(world, async (editor) => {
    const { sessionId } = await opened(editor, world)
    prompting(editor, sessionId, 'Wait.').catch(() => undefined)
    await written(file)
    await expect.poll(() => living(nap)).toHaveLength(3)
    process.kill(editor.pid, 'SIGKILL')
    await expect.poll(() => living(nap), { timeout: 20_000 }).toEqual([])
  })
})

it('has the servers, the linked files and the flags of an editor, and shows what runs', async () => {
  const steps = [
    calling('its-server__echo', { said: 'hello' }),
    calling('web__echo', { said: 'over HTTP' }),
    calling('bash', { command: 'echo begun; until [ -e go ]; do sleep 0.05; done; echo ended' }),
    calling('bash', { command: 'echo from the job', background: true }),
  ]
  const world = await runWorld({ brain: scriptedBrain({ steps }) })
  writeFileSync(join(world.workspace, 'a b.ts'), 'const linked = 7\n')
  const flags = ['--model', 'local/small', '--policy', 'kit', '--permissions', 'full']
  const use = async (editor: Editor) => {
    const { agent, updates, asked, problems } = editor
    const all = (kind: string) => updates.filter(({ sessionUpdate }) => sessionUpdate === kind)
    const { sessionId, modes, configOptions } = await agent.request(methods.agent.session.new, {
      cwd: world.workspace,
      mcpServers: [
        { name: 'its server', ...STDIO_SERVER, env: [{ name: 'ITS', value: 'own' }] },
        { type: 'http', name: 'web', url: (await httpServer()).url, headers: [] },
        { type: 'sse', name: 'old one', url: 'http://127.0.0.1:9/', headers: [] },
      ],
    })
    expect(modes?.currentModeId).toBe('full')
    expect(configOptions?.find(({ id }) => id === 'model')).toMatchObject({ currentValue: 'local/small' })
    const prompt = agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [
        { type: 'text', text: 'Look at ' },
        { type: 'resource_link', name: 'a b.ts', uri: pathToFileURL(join(world.workspace, 'a b.ts')).href },
      ],
    })
    // The output of a command is shown before it ends.
    await expect.poll(() => JSON.stringify(all('tool_call_update'))).toContain('begun')
    writeFileSync(join(world.workspace, 'go'), '')
    expect(await prompt).toEqual({ stopReason: 'end_turn' })
    expect(asked).toEqual([])
    expect(saidTo(world.server.requests[0]?.request)).toContain('const linked = 7')
    const shown = JSON.stringify(updates)
    for (const text of ['echo: hello', 'echo: over HTTP', 'The MCP server old one is not used', 'ended: exit code 0'])
      expect(shown).toContain(text)
    expect(all('session_info_update')).toMatchObject([{ title: 'Look at @"a b.ts"' }])
    const job = /(j\d+) ended: exit code 0/.exec(shown)?.[1]
    for (const command of ['/policy', `/jobs ${job}`]) await prompting(editor, sessionId, command)
    for (const text of ['kit', 'from the job\n']) expect(saidBy(updates, 'agent_message_chunk')).toContain(text)
    for (const [configId, value] of [
      ['model', 'local/main'],
      ['thinking', 'high'],
    ] as const) {
      const set = await agent.request(methods.agent.session.setConfigOption, { sessionId, configId, value })
      expect(set.configOptions.find(({ id }) => id === configId)).toMatchObject({ currentValue: value })
    }
    await prompting(editor, sessionId, 'And now?')
    expect(world.server.requests.at(-1)?.request).toMatchObject({ model: 'main' })
    expect(problems).toEqual([])
  }
  await inEditor(world, use, ALLOW, flags)
})

it('refuses flags that would have no effect, in one line', async () => {
  const { here } = await runWorld({ brain: scriptedBrain({ steps: [] }) })
  for (const [flags, line] of [
    [['--mode', 'observe'], '--mode is only for another agent, with --agent'],
    [['--no-memory'], '--no-memory is only for another agent, with --agent'],
    [['--agent', 'opencode acp', '--model', 'local/main'], '--model is only for the agent of Pith, not with --agent'],
    [['--agent', 'claude-agent-acp', '--memory'], '--memory: claude-agent-acp is an adapter'],
  ] as const) {
    const { stdout, stderr, code } = await here('acp', ...flags)
    expect({ stdout, lines: stderr.trimEnd().split('\n'), code }).toEqual({
      stdout: '',
      lines: [expect.stringContaining(line)],
      code: 2,
    })
  }
})

it('answers lines that are no orders with errors of the protocol, and prints nothing else', async () => {
  const world = await runWorld({ brain: scriptedBrain({ steps: [] }) })
  const order = (id: number, method: string) =>
    JSON.stringify({ jsonrpc: '2.0', id, method, params: { protocolVersion: PROTOCOL_VERSION } })
  const lines = [order(1, 'initialize'), '{"jsonrpc"', '[]', order(2, 'session/none'), '']
  const { stdout, code } = await world.start(['acp'], { input: lines.join('\n') }).ended
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  // A line that is no message is answered at once.
  expect(answers.map(({ error }) => error?.code ?? 0).toSorted()).toEqual([-32600, -32601, -32700, 0])
  expect(code).toBe(0)
})

async function written(file: string): Promise<number> {
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toMatch(/\n/)
  return Number(readFileSync(file, 'utf8'))
}

/** The processes that have the text in their command line. */
function living(text: string): string[] {
  const lines = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,stat=,args='], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.includes(text) && !/^\s*\d+\s+Z/.test(line))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
