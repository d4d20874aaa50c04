import { createHash } from 'node:crypto'
import type { ProviderKind } from '../../config/tables/provider-settings.ts'
import { asText } from '../../engine/record/serialize.ts'
import {
  type AssistantPart,
  callsOf,
  type Message,
  type ModelInfo,
  type ProviderOptions,
  resultsOf,
  type ToolMessage,
  type ToolPart,
  type ToolResultContent,
  type ToolSchema,
  type UserPart,
} from '../../model/types.ts'
import type { Endpoint } from '../provider/endpoint.ts'
import type { LanguageModel, SdkCallOptions } from '../provider/language-model.ts'
import type { ModelCall } from './chat-model.ts'
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

/** Moves system messages out of the conversation, because providers do not accept them there. */
function withSystemApart(call: ModelCall): ModelCall {
  const inside = call.messages.flatMap((message) => (message.role === 'system' ? [message.content] : []))
  if (inside.length === 0) return call
  const messages = call.messages.filter((message) => message.role !== 'system')
  return { ...call, system: [...call.system, ...inside], messages }
}

/** Turns calls and results into text if the request declares no tools, because providers would refuse them. */
function withoutStrayToolParts(call: ModelCall): ModelCall {
  const hasTools = call.tools !== undefined && call.tools.length > 0
  const isStray = (message: Message) => callsOf(message).length > 0 || resultsOf(message).length > 0
  if (hasTools || !call.messages.some(isStray)) return call
  return { ...call, messages: asText(call.messages, { cutCharacters: 0 }) }
}

/** With `store: false`, OpenAI does not store the conversation. Reasoning comes back encrypted, and is sent again. */
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

/** Limits the tokens: a summary may be requested that is longer than any answer of this model. */
function atMost(tokens: number | undefined, most: number | undefined): number | undefined {
  return tokens === undefined || most === undefined ? tokens : Math.min(tokens, most)
}

function quarter(window: number | undefined): number {
  return window === undefined ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(window / 4))
}

/** One system message, because chat templates of local models support only one. Anthropic accepts blocks, and the last one gets the cache mark. */
function systemMessages(system: readonly string[], { kind, cachesAnHour }: CacheSettings) {
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

/** The ids of calls that a provider accepts. Most accept any. The rule of a provider takes precedence over that of its protocol. */
const ACCEPTED: Readonly<Record<string, RegExp>> = {
  anthropic: /^[a-zA-Z0-9_-]{1,64}$/,
  openai: /^[\s\S]{1,64}$/,
  mistral: /^[a-zA-Z0-9]{9}$/,
}

const MISTRAL_LENGTH = 9

/**
 * A message whose calls have ids that this provider accepts. The ids may come from another provider or from a local server. The
 * same old id always becomes the same new one, so that a call matches its result and cached requests do not change.
 */
export function withAcceptedIds(message: Message, { provider, kind }: Pick<Endpoint, 'provider' | 'kind'>): Message {
  const accepted = ACCEPTED[provider] ?? ACCEPTED[kind]
  if (accepted === undefined || typeof message.content === 'string') return message
  const renamed = <P extends AssistantPart | ToolPart>(part: P): P =>
    'toolCallId' in part && !accepted.test(part.toolCallId)
      ? { ...part, toolCallId: acceptedId(part.toolCallId, provider) }
      : part
  if (message.role === 'assistant') return { ...message, content: message.content.map(renamed) }
  if (message.role === 'tool') return { ...message, content: message.content.map(renamed) }
  return message
}

/** A short id made from the given one. Different ids do not become the same. */
function acceptedId(id: string, provider: string): string {
  const hash = createHash('sha256').update(id).digest('base64url').replaceAll(/[-_]/g, 'x')
  if (provider === 'mistral') return hash.slice(0, MISTRAL_LENGTH)
  const readable = id.replaceAll(/[^a-zA-Z0-9_-]+/g, '_').slice(0, 40)
  return `${readable}_${hash.slice(0, 16)}`
}

/**
 * Moves images from tool results into a user message after them. OpenAI's chat protocol accepts only text in a result: the SDK
 * would send the bytes of an image as text, which takes a hundred times its tokens.
 */
function imagesApart(message: Message): Message[] {
  if (message.role !== 'tool') return [message]
  const images: UserPart[] = []
  const content = message.content.map((part): ToolMessage['content'][number] => {
    if (part.type !== 'tool-result' || part.output.type !== 'content') return part
    const texts = part.output.value.map((each) => {
      if (each.type === 'text') return each.text
      const image = imageOf(each)
      if (image === undefined) return `[${each.type}]`
      images.push(image)
      return `[image ${images.length} of the next message]`
    })
    return { ...part, output: { type: 'text', value: texts.join('\n') } }
  })
  if (images.length === 0) return [{ ...message, content }]
  const lead: UserPart = { type: 'text', text: '[Images of the results above]' }
  return [
    { ...message, content },
    { role: 'user', content: [lead, ...images] },
  ]
}

function imageOf(content: ToolResultContent): UserPart | undefined {
  switch (content.type) {
    case 'image-data':
      return { type: 'image', image: content.data, mediaType: content.mediaType }
    case 'image-url':
      return { type: 'image', image: new URL(content.url) }
    case 'file-data':
      return isImage(content) ? { type: 'image', image: content.data, mediaType: content.mediaType } : undefined
    case 'file': {
      const { data, mediaType } = content
      if (!isImage(content)) return undefined
      if (data.type === 'data') return { type: 'image', image: data.data, mediaType }
      return data.type === 'url' ? { type: 'image', image: data.url, mediaType } : undefined
    }
    default:
      return undefined
  }
}

function isImage({ mediaType }: { readonly mediaType: string }): boolean {
  return mediaType.startsWith('image/')
}

/**
 * Anthropic caches up to a mark, and allows four marks. We set them after tools and system prompt, after the first message
 * (which may be a summary), at the end of the previous request, and at the end of this one. The third makes a hit certain:
 * Anthropic searches only 20 blocks back from a mark, and parallel calls can have more.
 */
function cacheMarks({ messages, cachedMessages }: ModelCall): ReadonlySet<number> {
  const previous = cachedMessages ?? messages.findLastIndex((message) => message.role === 'assistant')
  return new Set([0, previous - 1, messages.length - 1].filter((index) => index >= 0 && index < messages.length))
}

/** The facts about an endpoint that decide how its requests are cached. */
type CacheSettings = Pick<Endpoint, 'kind' | 'cachesAnHour'>

/** The messages with their cache marks, for a provider that needs them. */
function markedMessages(call: ModelCall, { kind, cachesAnHour }: CacheSettings): readonly Message[] {
  if (kind !== 'anthropic') return call.messages
  const mark = cacheMark(cachesAnHour)
  const marks = cacheMarks(call)
  return call.messages.map((message, index) => (marks.has(index) ? withMark(message, mark) : message))
}

/** Options of the whole request that help a provider find its cache. */
function cacheOptions(call: ModelCall, kind: ProviderKind): ProviderOptions {
  return kind === 'openai' && call.cacheKey !== undefined ? { openai: { promptCacheKey: call.cacheKey } } : {}
}

/** How long a provider caches a prefix that is not used again, if that is documented. A local server keeps its last one. */
export function cacheLifetimeMs({ provider, kind, isLocal, cachesAnHour }: Endpoint): number | undefined {
  if (cachesAnHour) return 60 * MINUTE_MS
  return isLocal ? Number.POSITIVE_INFINITY : (LIFETIMES_MS[provider] ?? LIFETIMES_MS[kind])
}

const MINUTE_MS = 60_000
const LIFETIMES_MS: Readonly<Record<string, number>> = {
  anthropic: 5 * MINUTE_MS,
  openai: 5 * MINUTE_MS,
  google: 3 * MINUTE_MS,
  deepseek: 60 * MINUTE_MS,
}

/** The mark up to which a prompt is cached. Without a lifetime, Anthropic keeps it for five minutes. */
function cacheMark(anHour: boolean) {
  const cacheControl = anHour ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' }
  return { anthropic: { cacheControl } } satisfies ProviderOptions
}

function withMark<M extends Message>(message: M, mark: ReturnType<typeof cacheMark>): M {
  const { providerOptions } = message
  return {
    ...message,
    providerOptions: { ...providerOptions, anthropic: { ...providerOptions?.anthropic, ...mark.anthropic } },
  }
}
