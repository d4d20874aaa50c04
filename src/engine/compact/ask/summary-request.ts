import type { Message } from '../../../model/message/message.ts'
import type { Policy } from '../../../model/policy/policy.ts'
import type { SummaryRequest } from '../../../model/policy/summary-model.ts'
import { asText } from '../../record/as-text.ts'
import { enclose } from '../../record/boundary.ts'
import type { PromptSet } from '../../record/prompts/prompt-set.ts'

export type RequestParts = {
  readonly prompts: PromptSet
  readonly instruction: string
  readonly focus?: string
  readonly maxOutputTokens?: number
  readonly mostTokens?: number
}

/** A request that holds the conversation as one text. */
export function textRequest(conversation: string, parts: RequestParts): SummaryRequest {
  const content = parts.instruction.includes('{messages}')
    ? // Not `replace`: the conversation may hold `$&`.
      parts.instruction.split('{messages}').join(conversation)
    : `${enclose('conversation', conversation)}\n\n${parts.instruction}`
  return request([{ role: 'user', content: withFocus(content, parts) }], parts)
}

/** A request that holds the conversation as messages, calls and results as text, and a closing instruction (K8). */
export function messagesRequest(messages: readonly Message[], policy: Policy, parts: RequestParts): SummaryRequest {
  const history = asText(messages, policy)
  const closing: Message = { role: 'user', content: withFocus(parts.instruction, parts) }
  const first: Message[] = history[0]?.role === 'user' ? [] : [{ role: 'user', content: 'The conversation:' }]
  return request([...first, ...history, closing], parts)
}

function withFocus(instruction: string, { prompts, focus }: RequestParts): string {
  return focus === undefined ? instruction : `${instruction}\n\n${prompts.focus(focus)}`
}

function request(messages: readonly Message[], { prompts, maxOutputTokens, mostTokens }: RequestParts): SummaryRequest {
  return { system: prompts.system, messages, maxOutputTokens, mostTokens }
}
