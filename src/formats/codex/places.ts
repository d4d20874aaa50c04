import type { Places } from '../shared/format.ts'

export const CODEX_PLACES: Places = {
  folders: ['~/.codex/sessions', '~/.codex/archived_sessions'],
  variables: [{ name: 'CODEX_HOME', replaces: ['~/.codex'] }],
  file: /(?:^|\/)(?:rollout-[^/]*?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[^/]*|(rollout-[^/]+))\.jsonl?$/,
}
