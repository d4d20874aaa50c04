import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ToolFact, toolFacts, toolFactsWithResult } from '../../../../src/engine/extract/calls/tool-facts.ts'
import { TOOL_TABLE, withTools } from '../../../../src/engine/extract/calls/tool-table.ts'
import type { ToolCallPart, ToolResultOutput } from '../../../../src/model/types.ts'
import { full } from '../../../support/full.ts'

function call(toolName: string, input: unknown): ToolCallPart {
  return { type: 'tool-call', toolCallId: 'c1', toolName, input }
}
const said = (value: string): ToolResultOutput => ({ type: 'text', value })
const read = (path: string): ToolFact => ({ kind: 'read', path })
const modified = (path: string): ToolFact => ({ kind: 'modified', path })
const command = (text: string): ToolFact => ({ kind: 'command', command: text })
const shell = (kind: 'read' | 'modified', path: string, change?: 'created' | 'deleted'): ToolFact => ({
  kind,
  path,
  via: 'shell',
  ...(change === undefined ? {} : { change }),
})
const search = (path: string): ToolFact => ({ kind: 'read', path, via: 'search' })
const list = (path: string): ToolFact => ({ kind: 'read', path, via: 'list' })

type Row = [agent: string, toolName: string, input: unknown, facts: ToolFact[]]
const PATCH = '*** Begin Patch\n*** Update File: /w/a.ts\n@@\n-x\n+y\n*** Add File: b.ts\n+z\n*** End Patch'
const PATCHED = [modified('/w/a.ts'), { ...modified('b.ts'), change: 'created' as const }]

describe('files that a call reads or writes', () => {
  it.each<Row>([
    ['Claude Code', 'Read', { file_path: '/w/a.ts', offset: 1, limit: 9 }, [read('/w/a.ts')]],
    ['Claude Code', 'Edit', { file_path: '/w/a.ts', old_string: 'x', new_string: 'y' }, [modified('/w/a.ts')]],
    ['Claude Code', 'MultiEdit', { file_path: '/w/a.ts', edits: [] }, [modified('/w/a.ts')]],
    ['Claude Code', 'Write', { file_path: '/w/a.ts', content: '' }, [modified('/w/a.ts')]],
    ['Claude Code', 'NotebookEdit', { notebook_path: '/w/a.ipynb', new_source: '' }, [modified('/w/a.ipynb')]],
    ['Codex', 'apply_patch', PATCH, PATCHED],
    ['Codex', 'apply_patch', { input: PATCH }, PATCHED],
    ['Codex', 'view_image', { path: '/w/a.png' }, [read('/w/a.png')]],
    ['opencode', 'apply_patch', { patchText: PATCH }, PATCHED],
    ['opencode', 'read', { filePath: '/w/a.ts' }, [read('/w/a.ts')]],
    ['opencode', 'edit', { filePath: '/w/a.ts', oldString: 'x', newString: 'y' }, [modified('/w/a.ts')]],
    ['pi', 'edit', { path: 'src/a.ts', oldText: 'x', newText: 'y' }, [modified('src/a.ts')]],
    ['Gemini CLI', 'read_file', { absolute_path: '/w/a.ts' }, [read('/w/a.ts')]],
    ['Gemini CLI', 'replace', { file_path: '/w/a.ts', old_string: 'x', new_string: 'y' }, [modified('/w/a.ts')]],
    ['Gemini CLI', 'read_many_files', { paths: ['a.ts', 'src/**/*.ts', 'b.ts'] }, [read('a.ts'), read('b.ts')]],
    ['Copilot CLI', 'view', { path: '/w/a.ts' }, [read('/w/a.ts')]],
    ['Copilot CLI', 'create', { path: '/w/a.ts', file_text: '' }, [modified('/w/a.ts')]],
    ['OpenHands', 'str_replace_editor', { command: 'view', path: '/w/a.c' }, [read('/w/a.c')]],
    ['OpenHands', 'str_replace_editor', { command: 'insert', path: '/w/a.c', insert_line: 3 }, [modified('/w/a.c')]],
    ['OpenHands', 'file_editor', { command: 'undo_edit', path: '/w/a.c' }, [modified('/w/a.c')]],
    ['OpenHands', 'str_replace_editor', { command: 'fly', path: '/w/a.c' }, []],
    ['SWE-agent', 'open', { path: 'src/a.py', line_number: 3 }, [read('src/a.py')]],
    ['SWE-agent', 'create', { filename: 'a.py' }, [modified('a.py')]],
  ])('%s: %s %j', (_, toolName, input, facts) => expect(toolFacts(call(toolName, input))).toEqual(facts))
})

describe('searches and lists', () => {
  it.each<Row>([
    ['pi', 'grep', { pattern: 'x', path: 'src' }, [search('src')]],
    ['pi', 'find', { pattern: '*.ts', path: 'src' }, [search('src')]],
    ['pi', 'ls', { path: 'src' }, [list('src')]],
    ['Codex', 'list_dir', { dir_path: 'src' }, [list('src')]],
    ['opencode', 'list', { path: 'src' }, [list('src')]],
    ['Claude Code', 'Grep', { pattern: 'x', path: '/w/a.go', '-n': true }, [search('/w/a.go')]],
    ['Claude Code', 'Grep', { pattern: 'x' }, []],
    ['Claude Code', 'Glob', { pattern: '**/*.ts' }, []],
    ['Gemini CLI', 'list_directory', { dir_path: '/w' }, [list('/w')]],
    ['SWE-agent', 'find_file', { file_name: 'a.py', dir: 'src' }, [search('src')]],
  ])('%s: %s %j', (_, toolName, input, facts) => expect(toolFacts(call(toolName, input))).toEqual(facts))
})

describe('commands', () => {
  it.each<Row>([
    ['Claude Code', 'Bash', { command: 'cat a.ts', description: 'x' }, [command('cat a.ts'), shell('read', 'a.ts')]],
    ['pi', 'bash', { command: 'cd x && rm a' }, [command('cd x && rm a'), shell('modified', 'x/a', 'deleted')]],
    ['Codex', 'shell', { command: ['bash', '-lc', 'npm test'] }, [command('npm test')]],
    ['Codex', 'shell', { command: ['cat', 'a b'] }, [command("cat 'a b'"), shell('read', 'a b')]],
    ['Codex', 'local_shell_call', { action: { type: 'exec', command: ['/bin/zsh', '-lc', 'ls'] } }, [command('ls')]],
    [
      'Codex',
      'shell',
      { command: ['apply_patch', PATCH] },
      [command(`apply_patch '${PATCH}'`), shell('modified', '/w/a.ts'), shell('modified', 'b.ts', 'created')],
    ],
    ['Codex', 'exec_command', { cmd: 'cat a', workdir: '/w' }, [command('cat a'), shell('read', '/w/a')]],
    ['Codex', 'write_stdin', { session_id: 1, chars: 'y' }, []],
    ['Gemini CLI', 'run_shell_command', { command: 'ls', directory: 'x' }, [command('ls')]],
    ['OpenHands', 'execute_bash', { command: 'make', is_input: 'false' }, [command('make')]],
    ['OpenHands', 'execute_bash', { command: 'C-c', is_input: 'true' }, []],
    ['OpenHands', 'execute_bash', { command: '' }, []],
    ['Claude Code', 'PowerShell', { command: 'Get-Content C:\\a > b' }, [command('Get-Content C:\\a > b')]],
  ])('%s: %s %j', (_, toolName, input, facts) => expect(toolFacts(call(toolName, input))).toEqual(facts))
})

describe('to-dos', () => {
  const items = [
    { text: 'one', status: 'done' },
    { text: 'two', status: 'in-progress' },
    { text: 'three', status: 'pending' },
    { text: 'four', status: 'cancelled' },
  ]
  const status = ['completed', 'in_progress', 'pending', 'cancelled']
  const written = (name: string) => items.map(({ text }, i) => ({ id: i, [name]: text, status: status[i] }))

  it.each([
    ['Claude Code', 'TodoWrite', { todos: written('content') }],
    ['opencode', 'todowrite', { todos: written('content') }],
    ['Codex', 'update_plan', { plan: written('step') }],
    ['Gemini CLI', 'write_todos', { todos: written('description') }],
    ['OpenHands', 'task_tracker', { command: 'plan', task_list: written('title') }],
    ['Pith', 'todo', { items }],
    ['a model that sends JSON as text', 'TodoWrite', { todos: JSON.stringify(written('content')) }],
  ])('%s: %s', (_, toolName, input) => {
    expect(toolFacts(call(toolName, input))).toEqual([{ kind: 'todos', items }])
  })

  it('of Copilot are a list with boxes', () => {
    const todos = 'Plan:\n- [x] one\n- [-] two\n- [ ] three'
    expect(toolFacts(call('update_todo', { todos }))).toEqual([{ kind: 'todos', items: items.slice(0, 3) }])
  })

  it('that were all removed are an empty list, and a call that only looks says nothing', () => {
    expect(toolFacts(call('TodoWrite', { todos: [] }))).toEqual([{ kind: 'todos', items: [] }])
    expect(toolFacts(call('task_tracker', { command: 'view' }))).toEqual([])
  })

  it('are changed one by one by Claude Code, with the id from the result', () => {
    const create = call('TaskCreate', { subject: 'one', description: 'x', activeForm: 'y' })
    expect(toolFacts(create)).toEqual([])
    expect(toolFactsWithResult(create, said('Task #7 created successfully: one'))).toEqual([
      { kind: 'todo-change', id: '7', text: 'one' },
    ])
    expect(toolFacts(call('TaskUpdate', { taskId: '7', status: 'completed' }))).toEqual([
      { kind: 'todo-change', id: '7', status: 'done' },
    ])
    expect(toolFacts(call('TaskUpdate', { taskId: 7, status: 'completed' }))).toEqual([
      { kind: 'todo-change', id: '7', status: 'done' },
    ])
    expect(toolFacts(call('TaskUpdate', { taskId: '7', addBlockedBy: ['1'] }))).toEqual([])
    const all = said('#1 [pending] one\n#2 [in_progress] two [blocked by #1]')
    expect(toolFactsWithResult(call('TaskList', {}), all)).toEqual([
      { kind: 'todo-change', id: '1', text: 'one', status: 'pending' },
      { kind: 'todo-change', id: '2', text: 'two', status: 'in-progress' },
    ])
  })
})

describe('with its result', () => {
  const edit = call('edit', { path: 'a.ts', oldText: 'x', newText: 'y' })

  it('a call that worked says what it says without', () => {
    expect(toolFactsWithResult(edit, said('Successfully replaced text in a.ts.'))).toEqual([modified('a.ts')])
  })

  it.each<[string, ToolCallPart, ToolResultOutput]>([
    ['an edit that failed', edit, { type: 'error-text', value: 'Could not find the exact text' }],
    ['an edit that was denied', edit, { type: 'execution-denied' }],
    [
      'a view that failed',
      call('view', { path: 'a.ts' }),
      said('<tool_use_error>File does not exist.</tool_use_error>'),
    ],
    ['a patch that failed', call('apply_patch', PATCH), said('Exit code: 1\nWall time: 0 seconds\nOutput:\nnot found')],
    ['a command that was denied', call('bash', { command: 'rm a' }), { type: 'execution-denied' }],
    [
      'a command that the user rejected',
      call('Bash', { command: 'rm a' }),
      { type: 'error-text', value: "The user doesn't want to proceed with this tool use. STOP." },
    ],
  ])('%s says nothing', (_, part, output) => expect(toolFactsWithResult(part, output)).toEqual([]))

  it('a command that failed still ran', () => {
    const output: ToolResultOutput = { type: 'error-text', value: 'Exit code 1\nrm: a: No such file or directory' }
    expect(toolFactsWithResult(call('Bash', { command: 'rm a' }), output)).toHaveLength(2)
  })

  it('an edit of SWE-agent has the file that is open', () => {
    const output = said('Text replaced.\r\n1:x\n(Open file: /testbed/src/a.py)\n(Current directory: /testbed)\nbash-$')
    expect(toolFactsWithResult(call('edit', { search: 'x', replace: 'y' }), output)).toEqual([
      modified('/testbed/src/a.py'),
    ])
  })
})

describe('the table', () => {
  it('does not care about case, and says nothing about a tool that is not in it', () => {
    expect(toolFacts(call('READ', { path: 'a' }))).toEqual([read('a')])
    expect(toolFacts(call('recall', { path: 'a' }))).toEqual([])
    expect(toolFacts(call('constructor', { path: 'a' }))).toEqual([])
  })

  it('can be extended, and a row replaced', () => {
    const table = withTools(TOOL_TABLE, [
      { name: 'Peek', kind: 'read', agents: ['mine'], path: ['where'] },
      { name: 'read', kind: 'read', agents: ['mine'], path: ['where'] },
    ])
    expect(toolFacts(call('peek', { where: 'a' }), table)).toEqual([read('a')])
    expect(toolFacts(call('read', { path: 'a' }), table)).toEqual([])
    expect(toolFacts(call('read', { path: 'a' }))).toEqual([read('a')])
  })

  it('takes any input of any tool', () => {
    const names = fc.constantFrom(...TOOL_TABLE.keys())
    const keys = fc.constantFrom(
      ...['path', 'file_path', 'command', 'cmd', 'patch', 'input', 'todos', 'plan', 'taskId', 'action', 'status'],
    )
    const input = fc.oneof(fc.anything(), fc.dictionary(keys, fc.anything()))
    fc.assert(
      fc.property(names, input, fc.string(), (name, value, text) => {
        for (const fact of toolFacts(call(name, value))) if ('path' in fact) expect(fact.path).not.toBe('')
        toolFactsWithResult(call(name, value), said(text))
      }),
      { numRuns: full ? 2_000 : 300 },
    )
  })
})

it('a file on a drive has one name, however its path is written', () => {
  expect(toolFacts(call('Edit', { file_path: 'D:\\app\\src\\a.ts' }))).toEqual([modified('D:/app/src/a.ts')])
  expect(toolFacts(call('Edit', { file_path: 'D:/app/src/a.ts' }))).toEqual([modified('D:/app/src/a.ts')])
  expect(toolFacts(call('Read', { file_path: 'odd\\name' }))).toEqual([read('odd\\name')])
})
