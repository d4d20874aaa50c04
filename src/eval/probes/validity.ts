import { type Message, partsOf } from '../../model/types.ts'

export const CHECKED_PROVIDERS = ['anthropic', 'openai-chat', 'openai-responses', 'gemini'] as const
export type ProviderName = (typeof CHECKED_PROVIDERS)[number]

/** The rules that each provider refuses a request for, in addition to those of all. */
const RULES: Readonly<Record<ProviderName, readonly Rule[]>> = {
  anthropic: [beginsWithUser, hasNoEmptyText, hasSystemFirst],
  'openai-chat': [hasNoEmptyText],
  'openai-responses': [],
  gemini: [beginsWithUser, hasNoEmptyText, hasSystemFirst],
}

type Rule = (messages: readonly Message[]) => string | undefined

/** The providers that would refuse these messages, each with the first reason. */
export function providerRefusals(
  messages: readonly Message[],
): { readonly provider: ProviderName; readonly why: string }[] {
  return CHECKED_PROVIDERS.flatMap((provider) => {
    const why = [hasMessages, answersItsCalls, ...RULES[provider]]
      .map((rule) => rule(messages))
      .find((one) => one !== undefined)
    return why === undefined ? [] : [{ provider, why }]
  })
}

function hasMessages(messages: readonly Message[]): string | undefined {
  return messages.some(({ role }) => role !== 'system') ? undefined : 'there is no message'
}

/** Every call is answered before the next message of another role, and every result answers a call right before it. */
function answersItsCalls(messages: readonly Message[]): string | undefined {
  let open = new Set<string>()
  for (const [i, message] of messages.entries()) {
    if (message.role !== 'tool' && open.size > 0) return `message ${i}: call ${[...open][0]} has no result`
    for (const part of partsOf(message)) {
      if (part.type === 'tool-call' && part.providerExecuted !== true) open = new Set([...open, part.toolCallId])
      if (part.type === 'tool-result' && message.role === 'tool' && !open.delete(part.toolCallId))
        return `message ${i}: result ${part.toolCallId} has no call before it`
    }
  }
  return open.size > 0 ? `call ${[...open][0]} has no result` : undefined
}

function beginsWithUser(messages: readonly Message[]): string | undefined {
  const first = messages.find(({ role }) => role !== 'system')
  return first?.role === 'user' ? undefined : `the first message is from ${first?.role}`
}

function hasNoEmptyText(messages: readonly Message[]): string | undefined {
  const at = messages.findIndex((message) => {
    const parts = partsOf(message)
    return parts.length === 0 || parts.some((part) => part.type === 'text' && part.text.trim() === '')
  })
  return at === -1 ? undefined : `message ${at} has an empty text`
}

function hasSystemFirst(messages: readonly Message[]): string | undefined {
  const first = messages.findIndex(({ role }) => role !== 'system')
  const at = messages.findIndex(({ role }, i) => role === 'system' && i > first)
  return at === -1 ? undefined : `message ${at} is a system message after others`
}
