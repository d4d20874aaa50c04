import { type Format, type PromptCounter, promptCounter } from '../shared/format.ts'
import { fields, objects } from '../shared/json.ts'
import { readQwenCode } from './read.ts'

export const qwenCode = {
  name: 'qwen-code',
  label: 'qwen-code',
  /** The lines are a tree like those of Claude Code; messages have the form of Google's API. */
  detect: {
    line: (line) =>
      'uuid' in line && 'parentUuid' in line && ('systemPayload' in line || Array.isArray(fields(line.message)?.parts)),
    head: /^\s*\{\s*"uuid"\s*:[^{}]*"message"\s*:\s*\{\s*"role"\s*:\s*"user",\s*"parts"/,
  },
  read: readQwenCode,
  prompts: countQwenCode,
  places: {
    folders: ['~/.qwen/projects'],
    variables: [{ name: 'QWEN_HOME', replaces: ['~/.qwen'] }],
    file: /^[^/]+\/chats\/([^/]+)\.jsonl$/,
  },
} as const satisfies Format

function countQwenCode(): PromptCounter {
  return promptCounter(({ type, subtype, message }) =>
    type === 'user' && (subtype === undefined || subtype === 'mid_turn_user_message')
      ? objects(fields(message)?.parts).flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
      : [],
  )
}
