import type { Places } from '../shared/format.ts'

export const GEMINI_PLACES: Places = {
  folders: ['~/.gemini/tmp'],
  variables: [{ name: 'GEMINI_CLI_HOME', replaces: ['~'] }],
  file: /^[^/]+\/chats\/session-([^/]+)\.jsonl?$/,
}
