import type { Places } from '../shared/format.ts'

export const GEMINI_PLACES: Places = {
  folders: ['~/.gemini/tmp'],
  variables: [{ name: 'GEMINI_CLI_HOME', replaces: ['~'] }],
  // The name has the time before the beginning of the session's id.
  file: /^[^/]+\/chats\/session-(?:[^/]*-([0-9a-f]{8})|([^/]+))\.jsonl?$/,
}
