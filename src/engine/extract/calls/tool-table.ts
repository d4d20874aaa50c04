/** The kind of a tool, for the index. */
export type ToolKind =
  | 'read'
  | 'write'
  /** Its action says whether it reads or writes. */
  | 'editor'
  | 'patch'
  | 'run'
  | 'search'
  | 'list'
  /** Writes the whole to-do list. */
  | 'todo'
  /** Adds or changes one to-do. */
  | 'todo-change'

/** One tool, and the meaning of its arguments. If several names are listed, the first that the call has is used. */
export type ToolRow = {
  /** Not case-sensitive. */
  name: string
  kind: ToolKind
  /** The agents that have a tool of this name. */
  agents: readonly string[]
  /** A path or a list of paths. */
  path?: readonly string[]
  /** Finds the path in the result if the call has none, in its first group. */
  pathInResult?: RegExp
  /** The action of an editor: `view` reads; `create`, `str_replace`, `insert` and `undo_edit` write. */
  action?: readonly string[]
  /** A command line, or its words. */
  command?: readonly string[]
  /** The folder in which the command runs. */
  folder?: readonly string[]
  /** True means that the command is input for one that is already running. */
  isInput?: readonly string[]
  /** The command line is not for a POSIX shell, so we do not look for its files. */
  otherShell?: boolean
  patch?: readonly string[]
  todos?: readonly string[]
  id?: readonly string[]
  /** Finds the id of a new to-do in the result, in its first group. */
  idInResult?: RegExp
  /** Finds to-dos in a line of the result: groups `id`, `status` and `text`. */
  todoInResult?: RegExp
  text?: readonly string[]
  status?: readonly string[]
}

export type ToolTable = ReadonlyMap<string, ToolRow>

/** The table with these rows added; a row replaces one of the same name. */
export function withTools(table: ToolTable, rows: readonly ToolRow[]): ToolTable {
  return new Map([...table, ...rows.map((row) => [row.name.toLowerCase(), row] as const)])
}

/** The row of a tool, if we know it. */
export function toolRow(table: ToolTable, toolName: string): ToolRow | undefined {
  return table.get(toolName.toLowerCase())
}

const PATH = ['path', 'file_path', 'filePath', 'absolute_path', 'file', 'filename'] as const
const FOLDER = ['path', 'dir_path', 'dirPath', 'dir', 'directory', 'folder'] as const
const COMMAND = ['command', 'cmd', 'script'] as const
const WORKDIR = ['workdir', 'cwd', 'directory', 'dir_path'] as const
const PATCH = ['patchText', 'patch', 'input', 'diff'] as const
const TODOS = ['todos', 'items', 'plan', 'task_list', 'tasks'] as const
/** SWE-agent edits the open file, and names it in the prompt at the end of the result. */
const OPEN_FILE = /^\(Open file: ([^\n)]+)\)/m

const CLAUDE = 'Claude Code'
const CODEX = 'Codex'
const OPENCODE = 'opencode'
const GEMINI = 'Gemini CLI'
const COPILOT = 'Copilot CLI'
const QWEN = 'qwen-code'
const OPENHANDS = 'OpenHands'
const SWE = 'SWE-agent'
/** Pith, pi and Kit use the same names for these tools. */
const OURS = ['Pith', 'pi', 'Kit'] as const

const run = (name: string, ...agents: string[]): ToolRow => ({
  name,
  kind: 'run',
  agents,
  command: COMMAND,
  folder: WORKDIR,
  isInput: ['is_input'],
})
const editor = (name: string, ...agents: string[]): ToolRow => ({
  name,
  kind: 'editor',
  agents,
  path: PATH,
  action: ['command'],
})

/**
 * The tools of the agents that we know. A row is found by the tool's name alone: a call in a log does not say which agent
 * made it, a session may move from one agent to another, and agents share names (`bash`, `read`). A tool that is not
 * listed gives no facts: `recall`, the web, sub-agents, …
 */
export const TOOL_TABLE: ToolTable = withTools(new Map(), [
  { name: 'read', kind: 'read', agents: [...OURS, CLAUDE, OPENCODE], path: PATH },
  { name: 'read_file', kind: 'read', agents: [GEMINI, CODEX, OPENHANDS, QWEN], path: PATH },
  { name: 'read_many_files', kind: 'read', agents: [GEMINI], path: ['paths', 'include'] },
  { name: 'NotebookRead', kind: 'read', agents: [CLAUDE], path: ['notebook_path'] },
  { name: 'view', kind: 'read', agents: [COPILOT], path: PATH },
  { name: 'view_image', kind: 'read', agents: [CODEX], path: PATH },
  { name: 'open', kind: 'read', agents: [SWE], path: PATH },

  { name: 'write', kind: 'write', agents: [...OURS, CLAUDE, OPENCODE], path: PATH },
  { name: 'write_file', kind: 'write', agents: [GEMINI, OPENHANDS, QWEN], path: PATH },
  { name: 'create', kind: 'write', agents: [COPILOT, SWE], path: PATH },
  {
    name: 'edit',
    kind: 'write',
    agents: [...OURS, CLAUDE, OPENCODE, COPILOT, OPENHANDS, SWE, QWEN],
    path: PATH,
    pathInResult: OPEN_FILE,
  },
  { name: 'insert', kind: 'write', agents: [COPILOT, SWE], path: PATH, pathInResult: OPEN_FILE },
  { name: 'MultiEdit', kind: 'write', agents: [CLAUDE, OPENCODE], path: PATH },
  { name: 'NotebookEdit', kind: 'write', agents: [CLAUDE], path: ['notebook_path'] },
  { name: 'replace', kind: 'write', agents: [GEMINI], path: PATH },
  { name: 'edit_file', kind: 'write', agents: [OPENHANDS], path: PATH },
  { name: 'str_replace', kind: 'write', agents: [COPILOT], path: PATH },

  editor('str_replace_editor', OPENHANDS, SWE, COPILOT),
  editor('str_replace_based_edit_tool', 'Claude API'),
  editor('file_editor', OPENHANDS),

  { name: 'apply_patch', kind: 'patch', agents: [CODEX, OPENCODE, COPILOT, OPENHANDS], patch: PATCH },
  { name: 'patch', kind: 'patch', agents: [OPENCODE], patch: PATCH, path: PATH },

  run('bash', ...OURS, CLAUDE, OPENCODE, COPILOT, SWE),
  run('shell', CODEX),
  run('local_shell', CODEX),
  run('local_shell_call', CODEX),
  run('shell_command', CODEX),
  run('exec_command', CODEX),
  run('container.exec', CODEX),
  run('run_shell_command', GEMINI, QWEN),
  run('execute_bash', OPENHANDS),
  run('terminal', OPENHANDS),
  { ...run('powershell', CLAUDE, COPILOT), otherShell: true },

  { name: 'grep', kind: 'search', agents: [...OURS, CLAUDE, OPENCODE, COPILOT, OPENHANDS], path: FOLDER },
  { name: 'rg', kind: 'search', agents: [COPILOT], path: FOLDER },
  { name: 'find', kind: 'search', agents: OURS, path: FOLDER },
  { name: 'glob', kind: 'search', agents: [CLAUDE, OPENCODE, GEMINI, COPILOT, OPENHANDS], path: FOLDER },
  { name: 'search_file_content', kind: 'search', agents: [GEMINI], path: FOLDER },
  { name: 'grep_search', kind: 'search', agents: [GEMINI], path: FOLDER },
  { name: 'grep_files', kind: 'search', agents: [CODEX], path: FOLDER },
  { name: 'find_file', kind: 'search', agents: [SWE], path: FOLDER },
  { name: 'search_dir', kind: 'search', agents: [SWE], path: FOLDER },
  { name: 'search_file', kind: 'search', agents: [SWE], path: PATH },

  { name: 'ls', kind: 'list', agents: [...OURS, CLAUDE], path: FOLDER },
  { name: 'list', kind: 'list', agents: [OPENCODE], path: FOLDER },
  { name: 'list_dir', kind: 'list', agents: [CODEX], path: FOLDER },
  { name: 'list_directory', kind: 'list', agents: [GEMINI, OPENHANDS], path: FOLDER },

  { name: 'todo', kind: 'todo', agents: ['Pith'], todos: TODOS },
  { name: 'TodoWrite', kind: 'todo', agents: [CLAUDE, OPENCODE], todos: TODOS },
  { name: 'update_plan', kind: 'todo', agents: [CODEX], todos: TODOS },
  { name: 'write_todos', kind: 'todo', agents: [GEMINI], todos: TODOS },
  { name: 'todo_write', kind: 'todo', agents: [QWEN], todos: TODOS },
  { name: 'update_todo', kind: 'todo', agents: [COPILOT], todos: TODOS },
  { name: 'task_tracker', kind: 'todo', agents: [OPENHANDS], todos: TODOS },

  {
    name: 'TaskCreate',
    kind: 'todo-change',
    agents: [CLAUDE],
    idInResult: /^Task #(\w+) created/,
    text: ['subject'],
    status: ['status'],
  },
  { name: 'TaskUpdate', kind: 'todo-change', agents: [CLAUDE], id: ['taskId'], text: ['subject'], status: ['status'] },
  {
    name: 'TaskList',
    kind: 'todo-change',
    agents: [CLAUDE],
    todoInResult: /^#(?<id>\w+) \[(?<status>\w+)\] (?<text>.*?)(?: \[blocked by [^\]]*\])?$/,
  },
])
