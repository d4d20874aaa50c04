import { type Format, type PromptCounter, promptCounter, type TypedPrompt } from '../shared/format.ts'
import { type Fields, fields, list } from '../shared/json.ts'
import { readClaudeCode } from './read.ts'
import { writeClaudeCode } from './write.ts'

/** Counts the typed prompts: at the prompt, or into the queue while Claude Code worked. Prompts that the user took back are not counted. */
export function countClaudeCode(): PromptCounter {
  const typed = promptCounter(wordsIn)
  let queued: TypedPrompt[] = []
  return {
    line(line, number) {
      if (line.type !== 'queue-operation') return typed.line?.(line, number)
      const text = typeof line.content === 'string' ? line.content : ''
      if (line.operation === 'enqueue' && !NO_PROMPT.test(text)) queued.push({ line: number, text, isQueued: true })
      const isBack = line.operation === 'popAll' || line.operation === 'popOne' || line.reason === 'cleared_on_cancel'
      if (isBack) queued = queued.filter((prompt) => text !== '' && !text.includes(prompt.text))
    },
    prompts: () => [...typed.prompts(), ...queued],
  }
}

/** Notices of programs, and commands to Claude Code itself. */
const NO_PROMPT = /^\s*(?:$|<[a-z-]+>|\{"task_id"|\/[a-z][\w:-]*(?:\s|$))/

function wordsIn(line: Fields): string[] {
  const kind = fields(line.origin)?.kind
  const isOthers =
    line.isSidechain === true ||
    line.isMeta === true ||
    line.isCompactSummary === true ||
    line.isVisibleInTranscriptOnly === true
  if (line.type !== 'user' || isOthers || (kind !== undefined && kind !== 'human')) return []
  const content = fields(line.message)?.content
  if (typeof content === 'string') return [content]
  return list(content).flatMap((block) => {
    const { type, text } = fields(block) ?? {}
    return type === 'text' && typeof text === 'string' ? [text] : []
  })
}

/** Types of lines that are part of the tree; other programs have lines of these types, too. */
const TREE_TYPES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'progress', 'attachment'])
const OWN_TYPES: ReadonlySet<unknown> = new Set([
  'file-history-snapshot',
  'queue-operation',
  'custom-title',
  'ai-title',
])

export const claudeCode = {
  name: 'claude-code',
  label: 'Claude Code',
  detect: {
    line(line) {
      if (TREE_TYPES.has(line.type) && 'uuid' in line && ('parentUuid' in line || 'sessionId' in line)) return true
      return OWN_TYPES.has(line.type) || (line.type === 'summary' && 'leafUuid' in line)
    },
    head: /^\s*\{\s*"parentUuid"\s*:/,
  },
  read: readClaudeCode,
  prompts: countClaudeCode,
  write: writeClaudeCode,
  resume: { folder: '~/.claude', command: ({ sessionId }) => ['claude', '--resume', sessionId] },
  places: {
    folders: ['~/.claude/projects', '~/.config/claude/projects'],
    variables: [
      { name: 'CLAUDE_CONFIG_DIR', replaces: ['~/.claude', '~/.config/claude'], isList: true },
      { name: 'XDG_CONFIG_HOME', replaces: ['~/.config'] },
    ],
    // Sub-agents write their own files next to the session that started them.
    file: /^[^/]+\/((?!agent-)[^/]+)\.jsonl$/,
  },
} as const satisfies Format
