/** The formats that a session can be written in: files that an agent resumes, a hand-off to read, and message lists. */
export type WritableFormat = (typeof WRITABLE_FORMATS)[number]

/** All formats that a session can be written in. */
export const WRITABLE_FORMATS = [
  'claude-code',
  'codex',
  'pi',
  'markdown',
  'ai-sdk',
  'openai-chat',
  'openai-responses',
  'anthropic',
] as const
