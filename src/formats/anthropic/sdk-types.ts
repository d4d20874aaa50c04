import type { WithMore } from '../shared/json.ts'

/**
 * The part of the Anthropic SDK's types that we read and write. We accept its lists (`MessageParam`, `BetaMessageParam`), and it
 * accepts the messages that we write, without a cast.
 */

/** A message as it comes: of any kind that the API has. */
export type AnthropicInput = WithMore<{ readonly role: string; readonly content?: string | readonly object[] }>

export type AnthropicText = { type: 'text'; text: string }

export type AnthropicImage = {
  type: 'image'
  source: { type: 'base64'; media_type: ImageType; data: string } | { type: 'url'; url: string }
}

export type AnthropicDocument = {
  type: 'document'
  source:
    | { type: 'base64'; media_type: 'application/pdf'; data: string }
    | { type: 'text'; media_type: 'text/plain'; data: string }
    | { type: 'url'; url: string }
}

export type AnthropicResult = {
  type: 'tool_result'
  tool_use_id: string
  content: string | (AnthropicText | AnthropicImage | AnthropicDocument)[]
  is_error?: true
}

/** A block of a message of Anthropic's Messages API. */
export type AnthropicBlock =
  | AnthropicText
  | AnthropicImage
  | AnthropicDocument
  | AnthropicResult
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'tool_use'; id: string; name: string; input: unknown }

/** A message of the Anthropic API. One that came from it may hold blocks of other kinds, too. */
export type AnthropicMessage = { role: 'user' | 'assistant'; content: string | AnthropicBlock[] }

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const
type ImageType = (typeof IMAGE_TYPES)[number]

/** The media type, if it is one of the images that the API accepts. */
export function imageType(mediaType: string): ImageType | undefined {
  return IMAGE_TYPES.find((type) => type === mediaType)
}
