import type { WithMore } from '../shared/json.ts'

/**
 * The part of the OpenAI SDK's types for Chat Completions that we read and write. We accept its lists
 * (`ChatCompletionMessageParam`), and it accepts the messages that we write, without a cast.
 */

/** A message of any kind that the API, or a compatible server, has. */
export type OpenAIChatInput = WithMore<{
  readonly role: string
  readonly content?: string | readonly object[] | null
}>

export type ChatText = { type: 'text'; text: string }

export type ChatPart =
  | ChatText
  | { type: 'image_url'; image_url: { url: string } }
  | { type: 'input_audio'; input_audio: { data: string; format: 'wav' | 'mp3' } }
  | { type: 'file'; file: { file_data: string; filename: string } }

export type ChatCall =
  | { id: string; type: 'function'; function: { name: string; arguments: string } }
  | { id: string; type: 'custom'; custom: { name: string; input: string } }

/** A message of the OpenAI Chat Completions API. One that came from it may have more fields, and parts of other kinds. */
export type OpenAIChatMessage =
  | { role: 'system' | 'developer'; content: string | ChatText[] }
  | { role: 'user'; content: string | ChatPart[] }
  | { role: 'assistant'; content: string | ChatText[] | null; tool_calls?: ChatCall[] }
  | { role: 'tool'; tool_call_id: string; content: string | ChatText[] }
