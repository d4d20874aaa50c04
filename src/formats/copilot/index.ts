import { type Format, type PromptCounter, promptCounter } from '../shared/format.ts'
import { fields } from '../shared/json.ts'
import { readCopilot } from './read.ts'

export const copilot = {
  name: 'copilot',
  label: 'Copilot CLI',
  detect: {
    line: ({ type, data }) =>
      typeof type === 'string' && /^(?:session|user|assistant|tool|system)\.\w+$/.test(type) && data !== undefined,
    head: /^\s*\{\s*"type"\s*:\s*"session\.start"/,
  },
  read: readCopilot,
  prompts: countCopilot,
  places: {
    folders: ['~/.copilot/session-state'],
    variables: [{ name: 'COPILOT_HOME', replaces: ['~/.copilot'] }],
    // Older versions wrote a file per session, newer ones a folder.
    file: /^([^/]+)\.jsonl$|^([^/]+)\/events\.jsonl$/,
  },
} as const satisfies Format

/** Counts the typed prompts. The prompt of a sub-agent names the call that started it. */
function countCopilot(): PromptCounter {
  return promptCounter(({ type, data }) => {
    const { content, parentToolCallId } = fields(data) ?? {}
    return type === 'user.message' && parentToolCallId === undefined && typeof content === 'string' ? [content] : []
  })
}
