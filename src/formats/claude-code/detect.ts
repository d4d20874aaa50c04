import type { DetectRules } from '../shared/format.ts'

/** Types of lines that have a place in the tree; other programs have lines of these types, too. */
const TREE_TYPES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'progress', 'attachment'])
const OWN_TYPES: ReadonlySet<unknown> = new Set([
  'file-history-snapshot',
  'queue-operation',
  'custom-title',
  'ai-title',
])

export const detectClaudeCode: DetectRules = {
  line(line) {
    if (TREE_TYPES.has(line.type) && 'uuid' in line && ('parentUuid' in line || 'sessionId' in line)) return true
    return OWN_TYPES.has(line.type) || (line.type === 'summary' && 'leafUuid' in line)
  },
  head: /^\s*\{\s*"parentUuid"\s*:/,
}
