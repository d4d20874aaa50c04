import type { ProviderKind } from '../../config/tables/provider-settings.ts'
import { asText } from '../../engine/record/as-text.ts'
import type { ToolSchema } from '../../model/fixed.ts'
import { callsOf, type Message, type ProviderOptions, resultsOf } from '../../model/message/message.ts'
import type { ModelInfo } from '../../model/provider/model-info.ts'
import type { Endpoint } from '../provider/endpoint.ts'
import type { LanguageModel, SdkCallOptions } from '../provider/language-model.ts'
import { type CacheWish, cacheMark, cacheOptions, markedMessages } from './caching.ts'
import { withAcceptedIds } from './call-ids.ts'
import type { ModelCall } from './chat-model.ts'
import { imagesApart } from './images-apart.ts'
import { sendable } from './sendable.ts'

/** A call in the form of the AI SDK's models. The same call gives the same bytes every time. */
export async function callOptions(
  given: ModelCall,
  target: { model: LanguageModel; endpoint: Pick<Endpoint, 'provider' | 'kind' | 'cachesAnHour'>; info: ModelInfo },
): Promise<SdkCallOptions> {
  const { convertToLanguageModelPrompt } = await import('ai/internal')
  const { endpoint, model, info } = target
  const { kind } = endpoint
  const call = withoutStrayToolParts(withSystemApart(given))
  const messages = markedMessages(call, endpoint)
    .flatMap((message) => (kind === 'openai-compatible' ? imagesApart(message) : [message]))
    .map((message) => withAcceptedIds(sendable(message, kind), endpoint))
  const prompt = await convertToLanguageModelPrompt({
    prompt: { instructions: systemMessages(call.system, endpoint), messages },
    supportedUrls: await model.supportedUrls,
    download: undefined,
    abortSignal: call.signal,
  })
  return {
    prompt,
    maxOutputTokens: atMost(call.maxOutputTokens ?? defaultOutputTokens(kind, info), info.maxOutput),
    reasoning: call.reasoning,
    ...toolOptions(call.tools ?? []),
    providerOptions: merged(PROVIDER_OPTIONS[kind], cacheOptions(call, kind)),
  }
}

/** Providers accept no system message inside the conversation. */
function withSystemApart(call: ModelCall): ModelCall {
  const inside = call.messages.flatMap((message) => (message.role === 'system' ? [message.content] : []))
  if (inside.length === 0) return call
  const messages = call.messages.filter((message) => message.role !== 'system')
  return { ...call, system: [...call.system, ...inside], messages }
}

/** Providers refuse calls and results in a request that declares no tools. */
function withoutStrayToolParts(call: ModelCall): ModelCall {
  const hasTools = call.tools !== undefined && call.tools.length > 0
  const isStray = (message: Message) => callsOf(message).length > 0 || resultsOf(message).length > 0
  if (hasTools || !call.messages.some(isStray)) return call
  return { ...call, messages: asText(call.messages, { cutCharacters: 0 }) }
}

/** `store: false` leaves nothing of a conversation on OpenAI's servers: reasoning comes back encrypted, and is sent again. */
const PROVIDER_OPTIONS: Readonly<Record<ProviderKind, ProviderOptions>> = {
  anthropic: {},
  openai: { openai: { store: false } },
  google: {},
  'openai-compatible': {},
}

function merged(a: ProviderOptions, b: ProviderOptions): ProviderOptions {
  return { ...a, ...Object.fromEntries(Object.entries(b).map(([name, own]) => [name, { ...a[name], ...own }])) }
}

// Anthropic requires a limit. The model's own limit would be too high: it would leave no room for the input.
const ANTHROPIC_OUTPUT_TOKENS = 32_000

function defaultOutputTokens(kind: ProviderKind, info: ModelInfo): number | undefined {
  if (kind !== 'anthropic') return undefined
  return Math.min(ANTHROPIC_OUTPUT_TOKENS, info.maxOutput ?? 8_192, quarter(info.contextWindow))
}

/** A summary may be asked for that is longer than any answer of this model. */
function atMost(tokens: number | undefined, most: number | undefined): number | undefined {
  return tokens === undefined || most === undefined ? tokens : Math.min(tokens, most)
}

function quarter(window: number | undefined): number {
  return window === undefined ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(window / 4))
}

/** Chat templates of local models know one system message only. Anthropic takes blocks, and the last one gets the cache mark. */
function systemMessages(system: readonly string[], { kind, cachesAnHour }: CacheWish) {
  const blocks = system.filter((block) => block.trim() !== '')
  if (blocks.length === 0) return undefined
  if (kind !== 'anthropic') return [{ role: 'system' as const, content: blocks.join('\n\n') }]
  return blocks.map((content, index) => ({
    role: 'system' as const,
    content,
    ...(index === blocks.length - 1 ? { providerOptions: cacheMark(cachesAnHour) } : {}),
  }))
}

function toolOptions(tools: readonly ToolSchema[]): Pick<SdkCallOptions, 'tools' | 'toolChoice'> {
  if (tools.length === 0) return {}
  return {
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      name,
      description,
      inputSchema: (inputSchema ?? NO_INPUT) as JsonSchema,
    })),
    toolChoice: { type: 'auto' },
  }
}

type FunctionTool = Extract<NonNullable<SdkCallOptions['tools']>[number], { type: 'function' }>
type JsonSchema = FunctionTool['inputSchema']
const NO_INPUT: JsonSchema = { type: 'object', properties: {}, additionalProperties: false }
