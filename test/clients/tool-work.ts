import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentAnswer } from './agent-model.ts'
import type { Asked } from './asked.ts'
import type { Call, Client, ClientName } from './client.ts'

/** Gemini gives calls no ids: its conversations are recognised by their longer answers alone. */
const AS_LONG_AS_REAL = 'This is what I found there, and why I go on with it.'

/** The calls of one step, in the agent's own tools. */
type Step = readonly Call[]

/** A model that calls the tools of an agent one after the other, and what it saw. */
export type ToolWork = {
  readonly brain: (asked: Asked) => AgentAnswer
  /** How many steps there are, and how many the model has asked for. */
  readonly steps: number
  step: number
  /** How many requests for a summary were Pith's. */
  ofPith: number
}

/** After this step the model reports a full window, until the history was compacted. */
const FULL_AT = 7
/** More than the trigger of Pith at this window, and less than that of every agent. */
const FULL_TOKENS = 120_000
export const WINDOW = 200_000

/** Two turns: in the first the agent uses its tools, in the second it edits once more. `fills`: the window fills up in the first. */
export function toolWork(client: Client, workspace: () => string, { fills }: { fills: boolean }): ToolWork {
  let steps: readonly Step[] = []
  let inSub = 0
  const work = { brain, steps: STEPS[client.name]('').length, step: 0, ofPith: 0 }
  return work

  function brain(asked: Asked): AgentAnswer {
    const last = asked.messages.at(-1) ?? ''
    if (last.includes('This message is from the program')) {
      work.ofPith++
      return { text: SUMMARY }
    }
    if (!asked.tools.includes(client.calls.shell('').name)) return { text: 'A title.' }
    if (asked.messages.some((message) => message.includes(SUB_TASK) && !message.includes('[turn '))) {
      const isMain = asked.messages.some((message) => message.includes('[turn '))
      if (!isMain)
        return inSub++ === 0
          ? { text: 'A part.', calls: [client.calls.shell(`cd ${workspace()} && echo part`)] }
          : { text: 'The part is done.' }
    }
    if (asked.turn === undefined) return { text: 'Nothing to do.' }
    if (steps.length === 0) steps = prepared(client.name, workspace())
    const isLate = asked.turn === 1 && work.step === steps.length - 1
    const step = isLate ? undefined : steps[work.step]
    if (step === undefined) return { text: `Answer ${asked.turn} after the work. ${AS_LONG_AS_REAL}` }
    const calls = step
    work.step++
    const isFull = fills && work.step > FULL_AT && work.ofPith === 0
    return {
      text: `Step ${work.step} of the work. ${AS_LONG_AS_REAL}`,
      calls,
      ...(isFull ? { tokens: FULL_TOKENS } : {}),
    }
  }
}

const SUB_TASK = 'Do the part that is called SUBTASK.'
const SUMMARY = 'The user wants the tools used one after the other. The first steps are done; go on with the next one.'

function prepared(name: ClientName, folder: string): readonly Step[] {
  const words = Array.from({ length: 40 }, (_, i) => `word${i}`).join('\n')
  for (const file of ['a.txt', 'b.txt']) writeFileSync(join(folder, file), `${words}\n`)
  const cell = { cell_type: 'code', id: 'c1', metadata: {}, outputs: [], execution_count: null, source: ['x = 1\n'] }
  writeFileSync(
    join(folder, 'n.ipynb'),
    JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 }),
  )
  return STEPS[name](folder)
}

/** Results that are worth a compaction. */
const LONG = [1, 2, 3, 4, 5].map((i) => `seq ${i * 10_000} ${i * 10_000 + 2_500}`)

/** The steps of each agent: commands in its own folder, edits, several calls at once, to-dos, sub-agents and a tool of a server. */
const STEPS: Readonly<Record<ClientName, (folder: string) => readonly Step[]>> = {
  'claude-code': (folder) => {
    const file = join(folder, 'a.txt')
    const notebook = join(folder, 'n.ipynb')
    const bash = (command: string) => ({ name: 'Bash', input: { command: `cd ${folder} && ${command}` } })
    const read = (path: string) => ({ name: 'Read', input: { file_path: path } })
    const edit = (from: string, to: string) => ({
      name: 'Edit',
      input: { file_path: file, old_string: from, new_string: to },
    })
    return [
      ...LONG.map((command) => [bash(command)]),
      [read(file)],
      [edit('word1\n', 'one\n')],
      [bash('seq 1 900')],
      [edit('word2\n', 'two\n'), bash('ls')],
      [read(notebook), { name: 'ToolSearch', input: { query: 'select:NotebookEdit,TaskCreate,mcp__pith__recall' } }],
      [{ name: 'NotebookEdit', input: { notebook_path: notebook, cell_id: 'c1', new_source: 'x = 2' } }],
      [{ name: 'TaskCreate', input: { subject: 'Do it', description: 'All of it' } }],
      [{ name: 'mcp__pith__recall', input: { search: 'word1' } }],
      [{ name: 'Agent', input: { description: 'A part', prompt: SUB_TASK, subagent_type: 'general-purpose' } }],
      [edit('word3\n', 'three\n')],
      [edit('word4\n', 'four\n')],
    ]
  },
  codex: (folder) => {
    const shell = (command: string) => ({ name: 'exec_command', input: { cmd: `cd ${folder} && ${command}` } })
    const patch = (from: string, to: string) => {
      const text = `*** Begin Patch\n*** Update File: a.txt\n@@\n-${from}\n+${to}\n*** End Patch`
      return shell(`apply_patch <<'END'\n${text}\nEND`)
    }
    return [
      ...LONG.map((command) => [shell(command)]),
      [shell('cat a.txt')],
      [patch('word1', 'one')],
      [shell('seq 1 900')],
      [shell('ls'), shell('pwd')],
      [{ name: 'tool_search', input: { query: 'recall' } }],
      [{ name: 'recall', namespace: 'mcp__pith', input: { search: 'word1' } }],
      [patch('word3', 'three')],
      [patch('word4', 'four')],
    ]
  },
  opencode: (folder) => {
    const file = join(folder, 'a.txt')
    const bash = (command: string) => ({ name: 'bash', input: { command: `cd ${folder} && ${command}` } })
    const edit = (from: string, to: string) => ({
      name: 'edit',
      input: { filePath: file, oldString: from, newString: to },
    })
    const todos = [{ content: 'Do it', status: 'pending', priority: 'high' }]
    return [
      ...LONG.map((command) => [bash(command)]),
      [{ name: 'read', input: { filePath: file } }],
      [edit('word1\n', 'one\n')],
      [bash('seq 1 900')],
      [edit('word2\n', 'two\n'), bash('ls')],
      [{ name: 'todowrite', input: { todos } }],
      [{ name: 'pith_recall', input: { search: 'word1' } }],
      [{ name: 'task', input: { description: 'A part', prompt: SUB_TASK, subagent_type: 'general' } }],
      [edit('word3\n', 'three\n')],
      [edit('word4\n', 'four\n')],
    ]
  },
  pi: (folder) => {
    const bash = (command: string) => ({ name: 'bash', input: { command: `cd ${folder} && ${command}` } })
    const edit = (...edits: readonly (readonly [string, string])[]) => ({
      name: 'edit',
      input: { path: 'a.txt', edits: edits.map(([oldText, newText]) => ({ oldText, newText })) },
    })
    return [
      ...LONG.map((command) => [bash(command)]),
      [{ name: 'read', input: { path: 'a.txt' } }],
      [edit(['word1\n', 'one\n'])],
      [bash('seq 1 900')],
      [edit(['word2\n', 'two\n'], ['word5\n', 'five\n']), bash('ls')],
      // The form of its earlier versions.
      [{ name: 'edit', input: { path: 'a.txt', oldText: 'word3\n', newText: 'three\n' } }],
      [edit(['word6\n', 'six\n'])],
      [edit(['word4\n', 'four\n'])],
    ]
  },
  gemini: (folder) => {
    const file = join(folder, 'a.txt')
    const shell = (command: string) => ({ name: 'run_shell_command', input: { command: `cd ${folder} && ${command}` } })
    const edit = (from: string, to: string) => ({
      name: 'replace',
      input: { file_path: file, instruction: 'Change it', old_string: from, new_string: to },
    })
    return [
      ...LONG.map((command) => [shell(command)]),
      [{ name: 'read_file', input: { file_path: file } }],
      [edit('word1\n', 'one\n')],
      [shell('seq 1 900')],
      [edit('word2\n', 'two\n'), shell('ls')],
      [{ name: 'write_todos', input: { todos: [{ description: 'Do it', status: 'pending' }] } }],
      [{ name: 'update_topic', input: { title: 'A topic', summary: 'The work', strategic_intent: 'To do it' } }],
      [{ name: 'invoke_agent', input: { agent_name: 'generalist', prompt: SUB_TASK } }],
      [edit('word3\n', 'three\n')],
      [edit('word4\n', 'four\n')],
    ]
  },
  copilot: (folder) => {
    const file = join(folder, 'a.txt')
    const bash = (command: string) => ({
      name: 'bash',
      input: { command: `cd ${folder} && ${command}`, description: 'Run it' },
    })
    const edit = (from: string, to: string) => ({ name: 'edit', input: { path: file, old_str: from, new_str: to } })
    const part = { name: 'part', description: 'A part', prompt: SUB_TASK, agent_type: 'general-purpose', mode: 'sync' }
    return [
      ...LONG.map((command) => [bash(command)]),
      [{ name: 'view', input: { path: file } }],
      [edit('word1\n', 'one\n')],
      [bash('seq 1 900')],
      [edit('word2\n', 'two\n'), bash('ls')],
      [{ name: 'sql', input: { description: 'To-dos', query: 'SELECT 1' } }],
      [{ name: 'pith-recall', input: { search: 'word1' } }],
      [{ name: 'task', input: part }],
      [edit('word3\n', 'three\n')],
      [edit('word4\n', 'four\n')],
    ]
  },
  'qwen-code': (folder) => {
    const file = join(folder, 'a.txt')
    const notebook = join(folder, 'n.ipynb')
    const shell = (command: string) => ({
      name: 'run_shell_command',
      input: { command: `cd ${folder} && ${command}`, is_background: false },
    })
    const edit = (from: string, to: string) => ({
      name: 'edit',
      input: { file_path: file, old_string: from, new_string: to },
    })
    const todos = [{ id: '1', content: 'Do it', status: 'pending' }]
    return [
      ...LONG.map((command) => [shell(command)]),
      [{ name: 'read_file', input: { file_path: file } }],
      [edit('word1\n', 'one\n')],
      [shell('seq 1 900')],
      [edit('word2\n', 'two\n'), shell('ls')],
      [{ name: 'read_file', input: { file_path: notebook } }],
      [{ name: 'notebook_edit', input: { notebook_path: notebook, cell_id: 'c1', new_source: 'x = 2' } }],
      [{ name: 'todo_write', input: { todos } }],
      [{ name: 'agent', input: { description: 'A part', prompt: SUB_TASK, subagent_type: 'general-purpose' } }],
      [edit('word3\n', 'three\n')],
      [edit('word4\n', 'four\n')],
    ]
  },
}
