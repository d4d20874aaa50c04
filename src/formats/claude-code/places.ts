import type { Places } from '../shared/format.ts'

export const CLAUDE_CODE_PLACES: Places = {
  folders: ['~/.claude/projects', '~/.config/claude/projects'],
  variables: [
    { name: 'CLAUDE_CONFIG_DIR', replaces: ['~/.claude', '~/.config/claude'], isList: true },
    { name: 'XDG_CONFIG_HOME', replaces: ['~/.config'] },
  ],
  // Sub-agents write files of their own beside the session that started them.
  file: /^[^/]+\/((?!agent-)[^/]+)\.jsonl$/,
}
