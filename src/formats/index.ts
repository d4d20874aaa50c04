export { fromUIMessages } from './ai-sdk-ui/read.ts'
export { fromAnthropic } from './anthropic/read.ts'
export { type AnthropicBlock, type AnthropicMessage, toAnthropic } from './anthropic/write.ts'
export { type DecodeOptions, decode, decodeText } from './decode.ts'
export type { DecodedSession, DecodeFailure, DecodeResult } from './decoded-session.ts'
export { detect, HEAD_CHARACTERS } from './detect.ts'
export { encode } from './encode.ts'
export {
  type FormatName,
  formatNamed,
  READABLE_FORMATS,
  RESUMABLE_FORMATS,
  type ResumableFormat,
  WRITABLE_FORMATS,
  type WritableFormat,
} from './formats.ts'
export { fromOpenAIChat } from './openai-chat/read.ts'
export { type OpenAIChatMessage, toOpenAIChat } from './openai-chat/write.ts'
export { fromOpenAIResponses } from './openai-responses/read.ts'
export { type ResponseItem, toOpenAIResponses } from './openai-responses/write.ts'
export { answerOpenCalls } from './shared/answer-open-calls.ts'
export type { AgentFile, WriteDeps, WriteInput } from './shared/format.ts'
export { LONGEST_LINE, type Pieces } from './shared/lines.ts'
export type { Counts, Issue, RecordedCompaction } from './shared/log-builder.ts'
export { sentMessages } from './shared/message-list.ts'
export type { Sidechain } from './shared/session-builder.ts'
