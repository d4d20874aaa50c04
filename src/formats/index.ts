export { fromUIMessages } from './ai-sdk-ui.ts'
export { type AnthropicBlock, type AnthropicMessage, fromAnthropic, toAnthropic } from './anthropic.ts'
export { type DecodeOptions, decode, decodeText } from './decode.ts'
export type { Counts, Decoded, DecodeResult, Issue, RecordedCompaction, Sidechain } from './decoded.ts'
export { detect, HEAD_CHARACTERS } from './detect.ts'
export {
  encode,
  sentMessages,
  type Writable,
  type WriteDeps,
  type Written,
} from './encode.ts'
export { AGENTS, FORMATS, type Format } from './format.ts'
export { LONGEST_LINE, type Pieces } from './lines.ts'
export { fromOpenAIChat, type OpenAIChatMessage, toOpenAIChat } from './openai-chat.ts'
export { fromOpenAIResponses, type ResponseItem, toOpenAIResponses } from './openai-responses.ts'
export { settle } from './settle.ts'
export { WRITABLE_FORMATS, type WritableFormat } from './writable-formats.ts'
