import type { Places } from '../shared/format.ts'

export const COPILOT_PLACES: Places = {
  folders: ['~/.copilot/session-state'],
  variables: [{ name: 'COPILOT_HOME', replaces: ['~/.copilot'] }],
  // Older versions wrote a file a session, newer ones a folder.
  file: /^([^/]+)\.jsonl$|^([^/]+)\/events\.jsonl$/,
}
