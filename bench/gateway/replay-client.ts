import { toAnthropic } from '../../src/formats/anthropic/write.ts'
import { toOpenAIResponses } from '../../src/formats/openai-responses/write.ts'
import type { FaceName } from '../../src/gateway/faces/face.ts'
import type { Message } from '../../src/model/types.ts'
import { FIVE_MINUTES, GPT, type Pricing } from '../cost/prices.ts'

/** The parts of a request that are not the conversation. */
export type Around = { readonly system: string; readonly tools: readonly string[] }

export type SentBody = {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

/** An agent, as a provider sees its requests. */
export type ReplayClient = {
  readonly name: string
  readonly face: FaceName
  readonly model: string
  readonly pricing: Pricing
  request(history: readonly Message[], around: Around): SentBody
  /** Its own request for a compaction. */
  compaction(history: readonly Message[], around: Around): SentBody
  /** The message that the session continues with. */
  resumed(summary: string): string
}

const schema = { type: 'object', properties: {} }
const DIRECTIVE =
  "CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.\n\nYour task is to create a detailed summary of the conversation so far, paying close attention to the user's explicit requests and your previous actions."
const CHECKPOINT =
  'You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary for another LLM that will resume the task.'

/** The words at the end of these clients' requests for a summary; no other request ends with them. */
export const OWN_DIRECTIVES = [DIRECTIVE, CHECKPOINT]

const claude: ReplayClient = {
  name: 'Claude Code',
  face: 'anthropic',
  model: 'claude-sonnet-4-5',
  pricing: FIVE_MINUTES,
  request: (history, around) => claudeRequest(history, around),
  compaction: (history, around) => claudeRequest([...history, { role: 'user', content: DIRECTIVE }], around),
  resumed: (summary) =>
    `This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\nSummary:\n${/<summary>([\s\S]*)<\/summary>/.exec(summary)?.[1]?.trim() ?? summary}`,
}

/** It marks its system prompt and the ends of its last two messages. */
function claudeRequest(history: readonly Message[], { system, tools }: Around): SentBody {
  const cache_control = { type: 'ephemeral' }
  const { messages } = toAnthropic(history)
  const users = messages.filter(({ role }) => role === 'user').slice(-2)
  const marked = messages.map((message) => {
    if (!users.includes(message) || typeof message.content === 'string') return message
    return {
      ...message,
      content: message.content.map((b, i, all) => (i < all.length - 1 ? b : { ...b, cache_control })),
    }
  })
  const body = {
    model: claude.model,
    messages: marked,
    system: [{ type: 'text', text: system, cache_control }],
    tools: tools.map((name) => ({ name, description: `Runs ${name}`, input_schema: schema })),
    max_tokens: 32_000,
    stream: true,
  }
  return { path: '/v1/messages?beta=true', headers: { 'anthropic-version': '2023-06-01' }, body }
}

const codex: ReplayClient = {
  name: 'Codex',
  face: 'openai-responses',
  model: 'gpt-5.2',
  pricing: { ...GPT, cacheLifetimeMs: 10 * 60_000 },
  request: (history, around) => codexRequest(history, around),
  compaction: (history, around) => ({
    ...codexRequest([...history, { role: 'user', content: CHECKPOINT }], around),
    headers: { 'x-codex-turn-metadata': '{"request_kind":"compaction","compaction":{"trigger":"auto"}}' },
  }),
  resumed: (summary) =>
    `Another language model started to solve this problem and produced a summary of its thinking process. Here is the summary: ${summary}`,
}

function codexRequest(history: readonly Message[], { system, tools }: Around): SentBody {
  const body = {
    model: codex.model,
    instructions: system,
    input: toOpenAIResponses(history),
    tools: tools.map((name) => ({ type: 'function', name, description: `Runs ${name}`, parameters: schema })),
    store: false,
    stream: true,
  }
  return { path: '/v1/responses', headers: {}, body }
}

export const REPLAY_CLIENTS: readonly ReplayClient[] = [claude, codex]
