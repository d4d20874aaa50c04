import { claudeCodeReader } from './claude-code/decode.ts'
import type { DocumentReader, LineReader } from './codec.ts'
import { codexReader } from './codex/decode.ts'
import { copilotReader } from './copilot.ts'
import type { Format } from './format.ts'
import { geminiReader, readGemini } from './gemini/decode.ts'
import { fields, parsed } from './json.ts'
import { readAiSdk, readAnthropic, readOpenAIChat, readOpenAIResponses, readUIMessages } from './message-lists.ts'
import { readOpencode } from './opencode.ts'
import { openHandsReader, readOpenHands } from './openhands.ts'
import { piReader } from './pi/decode.ts'
import { pithReader } from './pith.ts'
import { readMiniSweAgent, readSweAgent } from './swe-agent.ts'

/** The formats of one JSON object a line. */
export const LINE_READERS: Partial<Record<Format, () => LineReader>> = {
  pith: pithReader,
  'claude-code': claudeCodeReader,
  codex: codexReader,
  pi: piReader,
  gemini: geminiReader,
  copilot: copilotReader,
  openhands: openHandsReader,
}

/** The formats that are one JSON document. Some agents have both forms. */
export const DOCUMENT_READERS: Partial<Record<Format, DocumentReader>> = {
  opencode: readOpencode,
  gemini: readGemini,
  openhands: readOpenHands,
  'swe-agent': readSweAgent,
  'mini-swe-agent': readMiniSweAgent,
  'ai-sdk': readAiSdk,
  'ai-sdk-ui': readUIMessages,
  'openai-chat': readOpenAIChat,
  'openai-responses': readOpenAIResponses,
  anthropic: readAnthropic,
}

/** Some agents have a form of lines and one that is a document: there the first line tells. */
export function isLines(format: Format, head: string): boolean {
  if (DOCUMENT_READERS[format] === undefined) return true
  const [first = ''] = head
    .replace(/^\uFEFF/, '')
    .trimStart()
    .split('\n', 1)
  if (format === 'openhands') return /^\{\s*"\w+"/.test(first)
  return fields(parsed(first)) !== undefined && !Array.isArray(fields(parsed(first))?.messages)
}
