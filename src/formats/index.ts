export { fromModelMessages, toModelMessages } from './ai-sdk/foreign-parts.ts'
export type { UIMessageInput, WrittenUIMessage } from './ai-sdk-ui/read.ts'
export { fromUIMessages } from './ai-sdk-ui/read.ts'
export { toUIMessages } from './ai-sdk-ui/write.ts'
export type { AnthropicBlock, AnthropicInput, AnthropicMessage } from './anthropic/read.ts'
export { fromAnthropic } from './anthropic/read.ts'
export { toAnthropic } from './anthropic/write.ts'
export { type DecodeOptions, decode, decodeText, detect, HEAD_CHARACTERS } from './decode.ts'
export type { DecodedSession, DecodeFailure, DecodeResult } from './decoded-session.ts'
export {
  encode,
  type FormatName,
  formatNamed,
  READABLE_FORMATS,
  RESUMABLE_FORMATS,
  type ResumableFormat,
  WRITABLE_FORMATS,
  type WritableFormat,
} from './formats.ts'
export type { OpenAIChatInput, OpenAIChatMessage } from './openai-chat/read.ts'
export { fromOpenAIChat } from './openai-chat/read.ts'
export { toOpenAIChat } from './openai-chat/write.ts'
export type { ResponseInput, ResponseItem } from './openai-responses/read.ts'
export { fromOpenAIResponses } from './openai-responses/read.ts'
export { toOpenAIResponses } from './openai-responses/write.ts'
export type { AgentFile, WriteDeps, WriteInput } from './shared/format.ts'
export { LONGEST_LINE, type Pieces } from './shared/lines.ts'
export type { Counts, Issue, RecordedCompaction, Sidechain } from './shared/log-builder.ts'
export { sentMessages } from './shared/message-list.ts'
export { type RemovedPart, removedParts } from './shared/origins.ts'
export { answerOpenCalls } from './shared/view-parts.ts'
