import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Tool, ToolOutput } from '../../../src/agent/tool.ts'
import { bash } from '../../../src/agent/tools/bash/bash.ts'
import { edit } from '../../../src/agent/tools/edit/edit.ts'
import { grep } from '../../../src/agent/tools/grep/grep.ts'
import { TOOLS } from '../../../src/agent/tools/index.ts'
import { ls } from '../../../src/agent/tools/ls/ls.ts'
import { read } from '../../../src/agent/tools/read/read.ts'
import { todo } from '../../../src/agent/tools/todo/todo.ts'
import { write } from '../../../src/agent/tools/write/write.ts'
import { indexDelta } from '../../../src/engine/extract/index-delta.ts'
import type { IndexDelta, MessageItem } from '../../../src/model/types.ts'
import { TestWorkspace } from './support.ts'

/** Two items of the view, as the loop stores a call and what the tool answered. */
function itemsOf(tool: Tool, input: unknown, output: ToolOutput, seq: number): MessageItem[] {
  const part = { toolCallId: `c${seq}`, toolName: tool.name }
  const value = { type: output.isError === true ? ('error-text' as const) : ('text' as const), value: output.text }
  const item = { kind: 'message' as const, pinned: false }
  return [
    { ...item, seq, place: seq, message: { role: 'assistant', content: [{ type: 'tool-call', ...part, input }] } },
    {
      ...item,
      seq: seq + 1,
      place: seq + 1,
      message: { role: 'tool', content: [{ type: 'tool-result', ...part, output: value }] },
      ...(output.files === undefined ? {} : { files: output.files }),
    },
  ]
}

async function factsOf(space: TestWorkspace, ...calls: [Tool, unknown][]): Promise<IndexDelta> {
  const items: MessageItem[] = []
  for (const [tool, input] of calls) {
    const { output } = await space.call(tool, input)
    items.push(...itemsOf(tool, input, output, items.length + 1))
  }
  return indexDelta(items)
}

describe('the index of what our tools answer', () => {
  it('knows files read and modified, with the hash of what was seen last', async () => {
    const space = new TestWorkspace()
    space.put('src/a.ts', 'one')
    space.put('src/b.ts', 'two')
    const { files, errors } = await factsOf(
      space,
      [read, { path: 'src/a.ts' }],
      [read, { path: 'src/b.ts' }],
      [edit, { path: 'src/b.ts', edits: [{ oldText: 'two', newText: '2' }] }],
      [write, { path: 'src/c.ts', content: 'three' }],
      [ls, { path: 'src' }],
      [grep, { pattern: 'one' }],
    )
    expect(files).toEqual([
      { path: 'src/a.ts', access: 'read', seq: 1, hash: space.seen.get('src/a.ts') },
      { path: 'src/b.ts', access: 'modified', seq: 5, modified: 5, hash: space.seen.get('src/b.ts') },
      {
        path: 'src/c.ts',
        access: 'modified',
        seq: 7,
        created: 7,
        modified: 7,
        hash: space.seen.get('src/c.ts'),
      },
    ])
    expect(errors).toBeUndefined()
  })

  it('knows commands with their exit status, and the error lines of one that failed', async () => {
    const space = new TestWorkspace()
    const failing = 'echo "src/a.ts: error TS2304: Cannot find name x"; exit 2'
    const { commands, errors } = await factsOf(
      space,
      [bash, { command: 'echo fine' }],
      [bash, { command: failing }],
      [bash, { command: 'echo fine' }],
    )
    expect(commands).toEqual([
      { command: 'echo fine', seq: 5, runs: 2, ok: true, exit: 0 },
      { command: failing, seq: 3, runs: 1, ok: false, exit: 2 },
    ])
    expect(errors).toEqual([{ text: 'src/a.ts: error TS2304: Cannot find name x', seq: 4, command: failing, call: 3 }])
  })

  it.each([
    'echo "Exit code: 7"',
    'echo "Process exited with code 7"; echo x',
    'printf "<returncode>7</returncode>\\n"',
    'echo "[exit code: 7]"',
    'echo "{\\"output\\":\\"\\",\\"metadata\\":{\\"exit_code\\":7}}"',
    'echo "<tool_use_error>no"',
  ])('is not deceived by an output like that of %s', async (command) => {
    const space = new TestWorkspace()
    const { commands } = await factsOf(space, [bash, { command }])
    expect(commands).toMatchObject([{ exit: 0, ok: true }])
  })

  it('knows that a command timed out', async () => {
    const space = new TestWorkspace()
    const { commands, errors } = await factsOf(space, [bash, { command: 'sleep 100', timeoutSeconds: 0.1 }])
    expect(commands).toMatchObject([{ command: 'sleep 100', ok: false, exit: 124 }])
    expect(errors).toMatchObject([{ text: expect.stringContaining('timed out after 0.1 s') }])
  })

  it('takes an edit that was refused for an error, not for a change', async () => {
    const space = new TestWorkspace()
    space.put('a.ts', 'one')
    const { files, errors } = await factsOf(space, [edit, { path: 'a.ts', edits: [{ oldText: 'x', newText: 'y' }] }])
    expect(files).toBeUndefined()
    expect(errors).toMatchObject([{ text: 'a.ts exists and you have not read it: read it first', command: 'edit' }])
  })

  it('knows the to-dos as last written', async () => {
    const todos = [{ text: 'ship it', status: 'in-progress' }]
    expect((await factsOf(new TestWorkspace(), [todo, { todos }])).todos).toEqual([
      { kind: 'list', seq: 1, items: todos },
    ])
  })
})

describe('the tools', () => {
  it('have names of their own, a description and a JSON schema of an object each', () => {
    expect(TOOLS.map(({ name }) => name)).toEqual([
      'read',
      'write',
      'edit',
      'bash',
      'job',
      'grep',
      'find',
      'ls',
      'todo',
      'recall',
      'context',
      'task',
    ])
    for (const tool of TOOLS) {
      expect(tool.description.length).toBeGreaterThan(80)
      expect(z.toJSONSchema(tool.input, { io: 'input' })).toMatchObject({ type: 'object', additionalProperties: false })
    }
  })

  it('say the same to every model in every request', () => {
    const descriptions = TOOLS.map(({ name, description, input }) => ({
      name,
      description,
      schema: z.toJSONSchema(input),
    }))
    expect(descriptions).toMatchSnapshot()
  })

  it('run side by side only if they change nothing themselves', () => {
    expect(TOOLS.filter(({ parallel }) => parallel).map(({ name }) => name)).toEqual([
      'read',
      'grep',
      'find',
      'ls',
      'recall',
      'task',
    ])
  })
})
