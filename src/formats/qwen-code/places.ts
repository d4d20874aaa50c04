import type { Places } from '../shared/format.ts'

export const QWEN_CODE_PLACES: Places = {
  folders: ['~/.qwen/projects'],
  variables: [{ name: 'QWEN_HOME', replaces: ['~/.qwen'] }],
  file: /^[^/]+\/chats\/([^/]+)\.jsonl$/,
}
