/** The protocols that the server speaks: Anthropic Messages, OpenAI Responses, OpenAI chat completions, Google Gemini. */
export type ProtocolName = 'anthropic' | 'responses' | 'chat' | 'google'
export const PROTOCOLS: readonly ProtocolName[] = ['anthropic', 'responses', 'chat', 'google']

/** A piece of a message, the same for all protocols. */
export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool-call'; readonly id: string; readonly name: string; readonly input: unknown }
  | {
      readonly type: 'tool-result'
      readonly id: string
      readonly name: string
      readonly text: string
      readonly isError: boolean
    }

export type RequestMessage = { readonly role: 'user' | 'assistant' | 'tool'; readonly parts: readonly Part[] }

export type DeclaredTool = { readonly name: string; readonly description: string; readonly inputSchema: unknown }

/** The request of a client, the same for all protocols. */
export type ModelRequest = {
  readonly protocol: ProtocolName
  readonly model: string
  readonly system: string
  readonly messages: readonly RequestMessage[]
  readonly tools: readonly DeclaredTool[]
  readonly maxOutputTokens?: number
}

/** The text of a message's text parts. */
export function textOf(message: RequestMessage | undefined): string {
  return (message?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
