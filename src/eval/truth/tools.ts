import type { ToolStep } from './steps.ts'

/**
 * Which tools do what, by name and argument, for the benchmark alone: the engine's own tables would find what the engine
 * finds. What a shell command does to files is left out on purpose, as it takes a parser to know.
 */
const EDITORS =
  /^(?:edit|write|multiedit|notebookedit|apply_patch|patch|write_file|replace|edit_file|create|insert|str_replace)$/
const READERS = /^(?:read|notebookread|read_file|view|open|view_image)$/
/** One tool for both: its `command` says which. */
const BOTH = /^(?:str_replace_editor|str_replace_based_edit_tool|file_editor)$/
const PATHS = ['file_path', 'filePath', 'path', 'notebook_path', 'absolute_path']

export function editedBy(step: ToolStep): string[] {
  if (step.outcome === 'failed') return []
  if (EDITORS.test(step.name)) return [...namedStrings(step.input, PATHS), ...patchedBy(step)]
  return BOTH.test(step.name) && !isView(step) ? namedStrings(step.input, PATHS) : []
}

export function readBy(step: ToolStep): string[] {
  if (step.outcome === 'failed') return []
  const reads = READERS.test(step.name) || (BOTH.test(step.name) && isView(step))
  return reads ? namedStrings(step.input, PATHS).filter((path) => /\.\w+$/.test(path)) : []
}

/** The command that a step ran, its first line. */
export function commandOf({ name, input }: ToolStep): string | undefined {
  if (!/bash|shell|exec|terminal|run|cmd/.test(name)) return undefined
  const line = typeof input === 'object' && input !== null ? commandIn(input) : undefined
  return line?.split('\n').find((one) => one.trim() !== '')
}

/** True when a command has more than that line. */
export function isLonger(step: ToolStep): boolean {
  return scriptOf(step).includes('\n')
}

/** All of a command. */
export function scriptOf({ input }: ToolStep): string {
  return (typeof input === 'object' && input !== null ? commandIn(input)?.trim() : undefined) ?? ''
}

function commandIn(input: object): string | undefined {
  const { command, cmd } = input as { command?: unknown; cmd?: unknown }
  const value = command ?? cmd
  if (typeof value === 'string') return value
  // Codex gives the words of a call: `bash -lc "…"`.
  return Array.isArray(value) ? value.filter((word) => typeof word === 'string').at(-1) : undefined
}

function patchedBy({ input }: ToolStep): string[] {
  const patch = typeof input === 'string' ? input : (namedStrings(input, ['input', 'patch', 'patchText'])[0] ?? '')
  return [...patch.matchAll(/^\*\*\* (?:Update|Add|Delete) File: (.+)$/gm)].map((match) => (match[1] ?? '').trim())
}

function isView({ input }: ToolStep): boolean {
  return namedStrings(input, ['command'])[0] === 'view'
}

export function namedStrings(input: unknown, names: readonly string[]): string[] {
  if (typeof input !== 'object' || input === null) return []
  const fields = new Map<string, unknown>(Object.entries(input))
  return names.map((name) => fields.get(name)).filter((value) => typeof value === 'string')
}
