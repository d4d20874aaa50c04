import { z } from '@hono/zod-openapi'
import type { SHAPES } from '../../contract/routes/context-routes.ts'
import {
  fromAnthropic,
  fromOpenAIChat,
  fromOpenAIResponses,
  toAnthropic,
  toOpenAIChat,
  toOpenAIResponses,
} from '../../formats/index.ts'
import { unreachable } from '../../model/problems/errors.ts'
import { issueText, problemOf } from '../../model/problems/parse.ts'
import { callsOf, type Message, type View } from '../../model/types.ts'
import { HttpError } from './http-error.ts'
import { messageInBody, requestProblem } from './request-body.ts'

type Shape = (typeof SHAPES)[number]

/** Our messages in a shape, for an answer. */
export function inShape(shape: Shape, messages: readonly Message[]): unknown[] {
  switch (shape) {
    case 'ai-sdk':
      return [...messages]
    case 'openai':
      return toOpenAIChat(messages)
    case 'openai-responses':
      return toOpenAIResponses(messages)
    case 'anthropic':
      return toAnthropic(messages).messages
    default:
      return unreachable(shape)
  }
}

/** The items of a body as our messages. */
export function fromShape(shape: Shape, items: readonly unknown[]): Message[] {
  return readItems(shape, items).map((message, i) => messageInBody(message, ['items', i]))
}

function readItems(shape: Shape, items: readonly unknown[]): readonly unknown[] {
  switch (shape) {
    case 'ai-sdk':
      return items
    case 'openai':
      return fromOpenAIChat(checked(items, CHAT_MESSAGE))
    case 'openai-responses':
      return fromOpenAIResponses(checked(items, RESPONSE_ITEM))
    case 'anthropic':
      return fromAnthropic(checked(items, ANTHROPIC_MESSAGE))
    default:
      return unreachable(shape)
  }
}

const content = z.union([z.string(), z.array(z.looseObject({ type: z.string() }))])
const chatRoles = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const
const CHAT_MESSAGE = z.looseObject({ role: z.enum(chatRoles), content: content.nullish() })
const ANTHROPIC_MESSAGE = z.looseObject({ role: z.enum(['user', 'assistant']), content })
const RESPONSE_MESSAGE = z.looseObject({
  type: z.literal('message').optional(),
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content,
})
const RESPONSE_ITEM = z.union([RESPONSE_MESSAGE, z.looseObject({ type: z.string().regex(/^(?!message$)/) })])

/** The readers drop what they do not know, as files of others need it. An item of a request that is wrong is refused instead. */
function checked<T extends z.ZodType>(items: readonly unknown[], schema: T): z.output<T>[] {
  return items.map((item, i) => {
    const result = schema.safeParse(item, { error: issueText })
    if (result.success) return result.data
    const { path, text } = problemOf(result.error)
    throw new HttpError(400, 'bad-message', requestProblem({ path: ['items', i, ...path], text }, 'body'))
  })
}

/** The name that the readers give to the tool of a call that is not in their list. */
const UNKNOWN = 'unknown'

/** Whether a result is of a call in an earlier request: it names only the call, and a search for a tool should find it, too. */
export function lacksTools(messages: readonly Message[]): boolean {
  return messages.some(({ role, content }) => role === 'tool' && content.some(isOfUnknown))
}

function isOfUnknown(part: { readonly type: string; readonly toolName?: string }): boolean {
  return part.type === 'tool-result' && part.toolName === UNKNOWN
}

/** The messages with the names of the tools whose calls are in the view. */
export function withToolNames(messages: readonly Message[], view: View): Message[] {
  return messages.map((message) => {
    if (message.role !== 'tool') return message
    const content = message.content.map((part) =>
      part.type === 'tool-result' && isOfUnknown(part)
        ? { ...part, toolName: toolIn(view, part.toolCallId) ?? UNKNOWN }
        : part,
    )
    return { ...message, content }
  })
}

/** The tool of a call in the view. A result comes soon after its call, so the search begins at the end. */
function toolIn({ items }: View, id: string): string | undefined {
  for (let i = items.length - 1; i >= 0; i--) {
    const { message } = items.at(i) ?? {}
    const call = message && callsOf(message).find(({ toolCallId }) => toolCallId === id)
    if (call !== undefined) return call.toolName
  }
  return undefined
}
