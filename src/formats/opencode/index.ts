import { type Format, type PromptCounter, promptCounter } from '../shared/format.ts'
import { fields, objects } from '../shared/json.ts'
import { readOpencode } from './read.ts'

export const opencode = {
  name: 'opencode',
  label: 'opencode',
  detect: {
    head: /^\s*\{\s*"info"\s*:\s*\{[\s\S]*"(?:projectID|slug)"\s*:/,
    document: ({ info, messages }) =>
      fields(info) !== undefined && objects(messages).some((message) => 'parts' in message && 'info' in message),
  },
  read: readOpencode,
  prompts: countOpencode,
  /** opencode keeps its sessions in a database, or each message and each part in its own file. */
  places: {
    folders: ['~/.local/share/opencode'],
    variables: [{ name: 'XDG_DATA_HOME', replaces: ['~/.local/share'] }],
  },
} as const satisfies Format

/** Counts the typed prompts. Texts of opencode itself are marked as such. */
function countOpencode(): PromptCounter {
  return promptCounter(
    ({ info, parts }) =>
      fields(info)?.role !== 'user'
        ? []
        : objects(parts).flatMap(({ type, text, synthetic, ignored }) =>
            type === 'text' && synthetic !== true && ignored !== true ? [String(text ?? '')] : [],
          ),
    (document) => objects(fields(document)?.messages),
  )
}
