import { PithError } from '../model/problems/errors.ts'
import { aiSdk } from './ai-sdk/index.ts'
import { aiSdkUI } from './ai-sdk-ui/index.ts'
import { anthropic } from './anthropic/index.ts'
import { claudeCode } from './claude-code/index.ts'
import { codex } from './codex/index.ts'
import { copilot } from './copilot/index.ts'
import { gemini } from './gemini/index.ts'
import { markdown } from './markdown/index.ts'
import { miniSweAgent } from './mini-swe-agent/index.ts'
import { openAIChat } from './openai-chat/index.ts'
import { openAIResponses } from './openai-responses/index.ts'
import { opencode } from './opencode/index.ts'
import { openHands } from './openhands/index.ts'
import { pi } from './pi/index.ts'
import { pith } from './pith/index.ts'
import { qwenCode } from './qwen-code/index.ts'
import type {
  AgentFile,
  Format,
  FormatReader,
  FormatWriter,
  ResumeRules,
  WriteDeps,
  WriteInput,
} from './shared/format.ts'
import { sweAgent } from './swe-agent/index.ts'

/**
 * All formats; a new one gets a line here. Detection asks them in this order, so the formats with the fewest marks of their own
 * come last: nearly any list of messages could be one of the AI SDK.
 */
export const FORMATS = [
  pith,
  // Before Claude Code, because its lines look similar.
  qwenCode,
  claudeCode,
  codex,
  pi,
  opencode,
  gemini,
  copilot,
  openHands,
  miniSweAgent,
  sweAgent,
  markdown,
  aiSdkUI,
  openAIResponses,
  openAIChat,
  anthropic,
  aiSdk,
] as const

type ListedFormat = (typeof FORMATS)[number]

/** A format whose sessions can be read. */
export type ReadableFormat = Extract<ListedFormat, { readonly read: FormatReader }> & Format

/** The name of a format that can be read. */
export type FormatName = ReadableFormat['name']

/** The name of a format that can be written: for an agent to resume, for people to read, or as a list of messages. */
export type WritableFormat = Extract<ListedFormat, { readonly write: FormatWriter }>['name']

/** The name of a format whose agent resumes what is written for it. */
export type ResumableFormat = Extract<ListedFormat, { readonly resume: ResumeRules }>['name']

/** All formats that can be read, in the order of the table. */
export const FORMATS_TO_READ: readonly ReadableFormat[] = FORMATS.filter((format) => 'read' in format)

/** The names of all formats that can be read. */
export const READABLE_FORMATS: readonly FormatName[] = FORMATS_TO_READ.map(({ name }) => name)

/** The names of all formats that can be written. */
export const WRITABLE_FORMATS: readonly WritableFormat[] = FORMATS.flatMap((format) =>
  'write' in format ? [format.name] : [],
)

/** The names of all formats whose agents resume what is written for them. */
export const RESUMABLE_FORMATS: readonly ResumableFormat[] = FORMATS.flatMap((format) =>
  'resume' in format ? [format.name] : [],
)

/** The format of a name. */
export function formatNamed(name: FormatName | WritableFormat): Format {
  const format: Format | undefined = FORMATS.find((format) => format.name === name)
  if (format === undefined) throw new PithError('bad-argument', `there is no format ${name}`)
  return format
}

/** Writes a session as a new file. The same log with the same ids and clock gives the same text. */
export function encode(session: WriteInput, format: WritableFormat, deps: WriteDeps): AgentFile {
  const { write } = formatNamed(format)
  if (write === undefined) throw new PithError('bad-argument', `sessions cannot be written as ${format}`)
  return write(session, deps)
}
