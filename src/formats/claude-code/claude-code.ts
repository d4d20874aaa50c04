import type { Format } from '../shared/format.ts'
import { detectClaudeCode } from './detect.ts'
import { CLAUDE_CODE_PLACES } from './places.ts'
import { countClaudeCode } from './prompts.ts'
import { readClaudeCode } from './read.ts'
import { writeClaudeCode } from './write.ts'

export const claudeCode = {
  name: 'claude-code',
  label: 'Claude Code',
  detect: detectClaudeCode,
  read: readClaudeCode,
  prompts: countClaudeCode,
  write: writeClaudeCode,
  resume: { folder: '~/.claude', command: ({ sessionId }) => ['claude', '--resume', sessionId] },
  places: CLAUDE_CODE_PLACES,
} as const satisfies Format
