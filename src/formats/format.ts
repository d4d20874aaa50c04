/** The forms of a session that we read. The last five are plain lists of messages. */
export type Format =
  | 'pith'
  | 'claude-code'
  | 'codex'
  | 'pi'
  | 'opencode'
  | 'gemini'
  | 'copilot'
  | 'openhands'
  | 'swe-agent'
  | 'mini-swe-agent'
  | 'ai-sdk'
  | 'ai-sdk-ui'
  | 'openai-chat'
  | 'openai-responses'
  | 'anthropic'

/** The program that writes a format, by its own name. */
export const AGENTS: Readonly<Record<Format, string>> = {
  pith: 'Pith',
  'claude-code': 'Claude Code',
  codex: 'Codex',
  pi: 'pi',
  opencode: 'opencode',
  gemini: 'Gemini CLI',
  copilot: 'Copilot CLI',
  openhands: 'OpenHands',
  'swe-agent': 'SWE-agent',
  'mini-swe-agent': 'mini-SWE-agent',
  'ai-sdk': 'AI SDK',
  'ai-sdk-ui': 'AI SDK UI',
  'openai-chat': 'OpenAI chat',
  'openai-responses': 'OpenAI Responses',
  anthropic: 'Anthropic',
}

/** All formats, in the order of the table above. */
export const FORMATS: readonly Format[] = Object.keys(AGENTS) as Format[]
