import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ContentBlock, methods, PROTOCOL_VERSION, type SessionUpdate } from '@agentclientprotocol/sdk'
import { expect, it, onTestFinished } from 'vitest'
import { agentHere } from '../../src/cli/commands/acp/serve-acp.ts'
import type { EntryDraft, Message } from '../../src/model/types.ts'
import { openStore } from '../../src/store/open-store.ts'
import { LOCAL_OWNER } from '../../src/store/store.ts'
import { type Choose, type EditorView, editorOn, saidBy } from '../support/acp-editor.ts'
import type { ModelServerOptions } from '../support/model-server/index.ts'
import { type RunWorld, runWorld } from '../support/run-world.ts'
import { calling, longText, SUMMARY, saidTo, scriptedBrain } from '../support/scripted-brain.ts'

const ALLOW: Choose = ({ options }) => options[0]?.optionId
const KNOWS_ALL = { session: { compaction: {}, notices: {} } }

type EditorWorld = RunWorld &
  EditorView & {
    readonly sessionId: string
    readonly prompt: (...blocks: readonly (string | ContentBlock)[]) => Promise<{ stopReason: string }>
    readonly set: (configId: string, value: string) => Promise<unknown>
    readonly all: <K extends SessionUpdate['sessionUpdate']>(kind: K) => Extract<SessionUpdate, { sessionUpdate: K }>[]
  }

/** An editor with a new session of an agent in this process. Whatever it is sent has to fit the protocol's schema. */
async function inEditor(
  options: ModelServerOptions,
  { choose = ALLOW, knows = KNOWS_ALL, begin = () => {} }: Asked = {},
): Promise<EditorWorld> {
  const world = await runWorld(options)
  begin(world)
  const { app, closeAll } = agentHere({ flags: {}, env: world.env, home: world.home })
  onTestFinished(closeAll)
  const view = editorOn(app, choose)
  onTestFinished(() => expect(view.problems).toEqual([]))
  const { agent, updates } = view
  await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: knows })
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd: world.workspace, mcpServers: [] })
  return {
    ...world,
    ...view,
    sessionId,
    prompt: (...blocks) =>
      agent.request(methods.agent.session.prompt, {
        sessionId,
        prompt: blocks.map((block) => (typeof block === 'string' ? { type: 'text', text: block } : block)),
      }),
    set: (configId, value) => agent.request(methods.agent.session.setConfigOption, { sessionId, configId, value }),
    all: (kind) => updates.filter((update): update is never => update.sessionUpdate === kind),
  }
}

type Asked = { choose?: Choose; knows?: object; begin?: (world: RunWorld) => void }

it('plans in plan mode, asks whether the plan is accepted, and then works in the mode before', async () => {
  const steps = [
    calling('todo', { todos: [{ text: 'Change a.ts', status: 'pending' }] }),
    calling('write', { path: 'a.ts', content: 'new\n' }),
  ]
  const editor = await inEditor({ brain: scriptedBrain({ steps }) })
  await editor.set('mode', 'plan')
  expect(editor.all('current_mode_update').at(-1)?.currentModeId).toBe('plan')
  expect(await editor.prompt('Plan it.')).toEqual({ stopReason: 'end_turn' })
  const [plan, edit] = editor.asked
  expect(plan?.toolCall.title).toBe('The agent plans this. Accept it?')
  expect(JSON.stringify(plan?.toolCall.content)).toContain('1. Change a.ts')
  expect(edit?.toolCall.title).toBe('edit a.ts')
  const answered = { toolCallId: plan?.toolCall.toolCallId, status: 'completed' }
  expect(editor.all('tool_call_update')).toContainEqual(expect.objectContaining(answered))
  expect(editor.all('current_mode_update').at(-1)?.currentModeId).toBe('ask')
  await editor.set('mode', 'plan')
  await editor.set('mode', 'auto-edit')
  expect(editor.all('current_mode_update').at(-1)?.currentModeId).toBe('auto-edit')
  await expect(editor.set('mode', 'none')).rejects.toThrow('none is not a mode')
})

it('shows a file that is written as a change of what was there, and where an edit is', async () => {
  const edits = [{ oldText: 'three', newText: 'THREE' }]
  const steps = [
    {
      calls: [
        { name: 'read', input: { path: 'a.ts' } },
        { name: 'read', input: { path: 'b.ts', offset: 2 } },
      ],
    },
    calling('write', { path: 'a.ts', content: 'new\n' }),
    calling('edit', { path: 'b.ts', edits }),
    calling('bash', { command: "printf '```\\nx\\n'" }),
  ]
  const editor = await inEditor(
    { brain: scriptedBrain({ steps }) },
    {
      begin: ({ workspace }) => {
        writeFileSync(join(workspace, 'a.ts'), 'old\n')
        writeFileSync(join(workspace, 'b.ts'), 'one\ntwo\nthree\n')
      },
    },
  )
  await editor.prompt('Change both.')
  const first = (title: string) => editor.all('tool_call').find((call) => call.title === title)
  const [a, b] = [join(editor.workspace, 'a.ts'), join(editor.workspace, 'b.ts')]
  expect(first('write a.ts')?.content).toEqual([{ type: 'diff', path: a, oldText: 'old\n', newText: 'new\n' }])
  expect(first('edit b.ts')).toMatchObject({ kind: 'edit', locations: [{ path: b, line: 3 }] })
  expect(first('read b.ts')?.locations).toEqual([{ path: b, line: 2 }])
  expect(editor.asked.find(({ toolCall }) => toolCall.title === 'edit b.ts')?.toolCall).toMatchObject({
    toolCallId: first('edit b.ts')?.toolCallId,
    content: [{ type: 'diff', path: b, ...edits[0] }],
  })
  const printed = editor.all('tool_call_update').findLast(({ kind }) => kind === 'execute')
  expect(printed).toMatchObject({ status: 'completed' })
  expect(JSON.stringify(printed?.content)).toContain('````\\n```\\nx\\n')
  // Each call is announced once.
  const ids = editor.all('tool_call').map(({ toolCallId }) => toolCallId)
  expect(new Set(ids).size).toBe(ids.length)
})

it('runs two prompts one after the other, with what is attached to the second', async () => {
  const editor = await inEditor({ brain: scriptedBrain({ steps: [{ text: 'First.' }, { text: 'Second.' }] }) })
  const uri = 'file:///notes/b.md'
  const ends = await Promise.all([
    editor.prompt('One.'),
    editor.prompt('Two.', { type: 'resource', resource: { uri, text: 'Note of b.' } }),
  ])
  expect(ends).toEqual([{ stopReason: 'end_turn' }, { stopReason: 'end_turn' }])
  expect(saidBy(editor.updates, 'agent_message_chunk')).toBe('First.Second.')
  const [, second] = editor.server.requests
  expect(saidTo(second?.request)).toMatch(/One\.[\s\S]*Two\.[\s\S]*Note of b\./)
})

it.each([
  ['message', { session: {} }],
  ['notice', KNOWS_ALL],
] as const)('says in the words of the provider why a prompt ended at a limit, as a %s', async (kind, knows) => {
  const fault = { fault: 'http', status: 413 } as const
  const editor = await inEditor({ brain: scriptedBrain({ steps: [fault, fault, { text: 'Here.' }] }) }, { knows })
  expect(await editor.prompt('One.')).toEqual({ stopReason: 'max_tokens' })
  const shown =
    kind === 'notice'
      ? editor
          .all('notice')
          .map(({ title }) => title)
          .join('\n')
      : saidBy(editor.updates, 'agent_message_chunk')
  expect(shown).toMatch(/^The provider says, .*HTTP 413/m)
  expect(await editor.prompt('Two.')).toEqual({ stopReason: 'end_turn' })
  expect(saidBy(editor.updates, 'agent_message_chunk')).toContain('Here.')
})

it('stores a new session with its first prompt, under the id that the editor has', async () => {
  const { env, sessionId, prompt } = await inEditor({ brain: scriptedBrain({ steps: [] }) })
  const store = await openStore(`${env.PITH_HOME}/pith.db`)
  onTestFinished(() => store.close())
  expect((await store.sessions()).sessions).toEqual([])
  expect(await prompt('One.')).toEqual({ stopReason: 'end_turn' })
  expect((await store.sessions()).sessions.map(({ id }) => id)).toEqual([sessionId])
})

it('cancels the running prompt and the waiting one, and withdraws its question', async () => {
  const withdrawn = Promise.withResolvers<string | undefined>()
  const editor = await inEditor(
    { brain: scriptedBrain({ steps: [calling('bash', { command: 'rm a.txt' })] }) },
    { choose: () => withdrawn.promise },
  )
  const ends = Promise.all([editor.prompt('One.'), editor.prompt('Two.')])
  await expect.poll(() => editor.asked.length).toBe(1)
  await editor.agent.notify(methods.agent.session.cancel, { sessionId: editor.sessionId })
  expect(await ends).toEqual([{ stopReason: 'cancelled' }, { stopReason: 'cancelled' }])
  withdrawn.resolve(undefined)
  expect(editor.server.requests).toHaveLength(1)
  expect(await editor.prompt('Three.')).toEqual({ stopReason: 'end_turn' })
})

it('cancels a compaction within a second, and the context stays', async () => {
  const asked = Promise.withResolvers<void>()
  const summary = () => {
    asked.resolve()
    return new Promise<never>(() => {})
  }
  const editor = await inEditor({ brain: scriptedBrain({ steps: [], summary }), window: 16_000 })
  for (const mark of ['one', 'two', 'three']) await editor.prompt(longText(mark, 1_500))
  const before = editor.all('usage_update').at(-1)?.used
  const ended = editor.prompt('/compact')
  await asked.promise
  await editor.agent.notify(methods.agent.session.cancel, { sessionId: editor.sessionId })
  expect(await ended).toEqual({ stopReason: 'cancelled' })
  expect(editor.all('compaction_update').map(({ status }) => status)).toEqual(['in_progress', 'cancelled'])
  expect(editor.all('usage_update').at(-1)?.used).toBe(before)
})

it('shows a compaction as a call to an editor that knows no compactions', async () => {
  const editor = await inEditor({ brain: scriptedBrain({ steps: [] }), window: 16_000 }, { knows: {} })
  for (const mark of ['one', 'two', 'three']) await editor.prompt(longText(mark, 1_500))
  await editor.prompt('/compact keep the names')
  expect(editor.all('tool_call')).toMatchObject([{ title: 'Compacting the conversation', status: 'in_progress' }])
  const [done] = editor.all('tool_call_update')
  expect(done).toMatchObject({ toolCallId: editor.all('tool_call')[0]?.toolCallId, status: 'completed' })
  expect(JSON.stringify(done?.content)).toContain(SUMMARY.slice(0, 80))
  expect([...editor.all('compaction_update'), ...editor.all('notice')]).toEqual([])
  await editor.prompt('/compact')
  expect(saidBy(editor.updates, 'agent_message_chunk')).toContain('No compaction needed')
})

it('offers its commands and those that are files, and runs them', async () => {
  const editor = await inEditor(
    { brain: scriptedBrain({ steps: [] }) },
    {
      begin: ({ home }) => {
        mkdirSync(join(home, '.claude/commands'), { recursive: true })
        writeFileSync(join(home, '.claude/commands/ship.md'), '---\ndescription: Ships it\n---\nShip $ARGUMENTS now.\n')
      },
    },
  )
  await expect.poll(() => editor.all('available_commands_update').length).toBe(1)
  const offered = editor.all('available_commands_update')[0]?.availableCommands ?? []
  const names = offered.map(({ name }) => name)
  for (const name of ['compact', 'context', 'undo', 'recall', 'leave-out', 'ship']) expect(names).toContain(name)
  expect(names).not.toContain('quit')
  await editor.prompt('/ship version 2')
  expect(saidTo(editor.server.requests[0]?.request)).toContain('Ship version 2 now.')
  await editor.prompt('/rename The release')
  expect(editor.all('session_info_update').at(-1)?.title).toBe('The release')
  await editor.prompt('/contxt')
  expect(saidBy(editor.updates, 'agent_message_chunk')).toContain('did you mean /context?')
  await editor.prompt('/quit')
  expect(saidBy(editor.updates, 'agent_message_chunk')).toContain('/quit is a command of the terminal')
})

it('says when the model does not see an image, and refuses what it does not understand', async () => {
  const editor = await inEditor({ brain: scriptedBrain({ steps: [] }) })
  const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  await editor.prompt('Look.', { type: 'image', data, mimeType: 'image/png' })
  expect(editor.all('notice').map(({ title }) => title)).toContainEqual(
    expect.stringContaining('local/main is not known to accept images'),
  )
  await expect(editor.prompt({ type: 'audio', data, mimeType: 'audio/wav' })).rejects.toThrow('audio is not understood')
  const { agent } = editor
  const unknown = agent.request(methods.agent.session.prompt, { sessionId: 'none', prompt: [] })
  await expect(unknown).rejects.toMatchObject({ code: -32602 })
  const cwd = editor.workspace
  const missing = agent.request(methods.agent.session.load, { sessionId: 'none', cwd, mcpServers: [] })
  await expect(missing).rejects.toMatchObject({ code: -32002 })
  const relative = agent.request(methods.agent.session.new, { cwd: 'src', mcpServers: [] })
  await expect(relative).rejects.toThrow('cwd must be an absolute path')
})

it('lists and loads the sessions of a folder inside the repository', async () => {
  const editor = await inEditor({ brain: scriptedBrain({ steps: [calling('bash', { command: 'echo out' })] }) })
  await editor.prompt('Print it.')
  const cwd = join(editor.workspace, 'packages')
  mkdirSync(cwd)
  const { agent, sessionId, updates } = editor
  const { sessions } = await agent.request(methods.agent.session.list, { cwd })
  expect(sessions).toMatchObject([{ sessionId, cwd, title: 'Print it.' }])
  updates.length = 0
  await agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] })
  expect(updates.map(({ sessionUpdate }) => sessionUpdate).slice(0, 3)).toEqual([
    'user_message_chunk',
    'tool_call',
    'agent_message_chunk',
  ])
  expect(editor.all('tool_call')).toMatchObject([
    { status: 'completed', content: [{ content: { text: expect.stringContaining('out') } }] },
  ])
})

it('replays all of a long session in order', async () => {
  const editor = await inEditor({ brain: scriptedBrain({ steps: [] }) })
  const { agent, updates, workspace: cwd, env } = editor
  const store = await openStore(join(env.PITH_HOME ?? '', 'pith.db'))
  onTestFinished(() => store.close())
  const { id: sessionId } = await store.createSession({ owner: LOCAL_OWNER, workspace: cwd })
  const turns = Array.from({ length: 120 }, (_, i) => i)
  // Two messages first, so that a part of the log would end between two results.
  await store.append(sessionId, [...said('First'), ...said('Second'), ...turns.flatMap(turnWithCalls)])
  updates.length = 0
  await agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] })
  const shown = updates.flatMap((update) => {
    if (update.sessionUpdate === 'tool_call') return [`${update.toolCallId} ${update.status}`]
    return update.sessionUpdate.endsWith('_chunk') ? [saidBy([update], update.sessionUpdate).trim()] : []
  })
  expect(shown).toEqual([
    'First',
    'Second',
    ...turns.flatMap((i) => [`Ask ${i}`, `a${i} completed`, `b${i} completed`, `Answer ${i}`]),
  ])
  expect(editor.all('plan')).toHaveLength(1)
})

it('deletes a session with what is kept of it, also one that is open or is gone', async () => {
  const editor = await inEditor({ brain: scriptedBrain({ steps: [] }) })
  const { agent, sessionId, workspace: cwd } = editor
  await editor.prompt('Remember the blue whale.')
  const { session } = methods.agent
  for (let i = 0; i < 2; i++) expect(await agent.request(session.delete, { sessionId })).toEqual({})
  expect(await agent.request(session.list, { cwd })).toEqual({ sessions: [] })
  await expect(editor.prompt('Still there?')).rejects.toThrow('is not open')
  await expect(agent.request(session.load, { sessionId, cwd, mcpServers: [] })).rejects.toMatchObject({ code: -32002 })
})

it('asks for a sign-in where an editor can start one and no model can be used', async () => {
  const world = await runWorld({ brain: scriptedBrain({ steps: [] }) })
  world.user('providers: {}\n')
  const { app, closeAll } = agentHere({ flags: {}, env: world.env, home: world.home })
  onTestFinished(closeAll)
  const { agent } = editorOn(app, ALLOW)
  const asked = { protocolVersion: PROTOCOL_VERSION, clientCapabilities: { auth: { terminal: true } } }
  const initialized = await agent.request(methods.agent.initialize, asked)
  expect(initialized).toMatchObject({ authMethods: [{ type: 'terminal', args: ['--sign-in'] }] })
  const opening = agent.request(methods.agent.session.new, { cwd: world.workspace, mcpServers: [] })
  await expect(opening).rejects.toMatchObject({ code: -32000 })
})

it('shows the report of a sub-agent, and asks in its name', async () => {
  const steps = [
    calling('task', { description: 'Find it', prompt: 'Find the limit.', tools: 'all' }),
    calling('bash', { command: 'touch found.txt' }),
    { text: 'The limit is 5.' },
    { text: 'It is 5.' },
  ]
  const editor = await inEditor({ brain: scriptedBrain({ steps }) })
  await editor.prompt('Delegate it.')
  expect(editor.asked.map(({ toolCall }) => toolCall.title)).toEqual(['task-1: command touch found.txt'])
  const report = editor.all('tool_call_update').findLast(({ name }) => name === 'task')
  expect(report?.status).toBe('completed')
  expect(JSON.stringify(report?.content)).toContain('The limit is 5.')
  expect(readFileSync(join(editor.workspace, 'found.txt'), 'utf8')).toBe('')
})

/** A turn with two calls in one answer. */
function turnWithCalls(i: number): EntryDraft[] {
  const calls = [`a${i}`, `b${i}`].map((toolCallId) => ({ toolCallId, toolName: 'read' }))
  const output = { type: 'text', value: 'text' } as const
  const messages: readonly Message[] = [
    { role: 'user', content: `Ask ${i}` },
    { role: 'assistant', content: calls.map((call) => ({ type: 'tool-call', ...call, input: { path: 'a.ts' } })) },
    ...calls.map((call): Message => ({ role: 'tool', content: [{ type: 'tool-result', ...call, output }] })),
    { role: 'assistant', content: `Answer ${i}` },
  ]
  return messages.map((message) => ({ type: 'message', message }))
}

function said(content: string): EntryDraft[] {
  return [{ type: 'message', message: { role: 'user', content } }]
}
