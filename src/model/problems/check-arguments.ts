import type { Message, Part, Usage } from '../types.ts'
import { field, isRecord } from '../values.ts'
import { PithError } from './errors.ts'

/** The parts that a message of each role may have. */
const PARTS: Readonly<Record<Message['role'], readonly Part['type'][]>> = {
  system: [],
  user: ['text', 'image', 'file', 'custom'],
  assistant: [
    'text',
    'custom',
    'file',
    'reasoning',
    'reasoning-file',
    'tool-call',
    'tool-result',
    'tool-approval-request',
  ],
  tool: ['tool-result', 'tool-approval-response', 'custom'],
}

/** Blocks of providers, and the function that converts them. */
const CONVERTERS: Readonly<Record<string, string>> = {
  tool_use: 'fromAnthropic',
  tool_result: 'fromAnthropic',
  thinking: 'fromAnthropic',
  redacted_thinking: 'fromAnthropic',
  server_tool_use: 'fromAnthropic',
  document: 'fromAnthropic',
  image_url: 'fromOpenAIChat',
  input_audio: 'fromOpenAIChat',
  refusal: 'fromOpenAIChat',
  input_text: 'fromOpenAIResponses',
  output_text: 'fromOpenAIResponses',
  input_image: 'fromOpenAIResponses',
  input_file: 'fromOpenAIResponses',
}

/** Throws an error in one line that names the message if one does not have our shape. It checks only the shape, so it costs almost nothing. The first `known` were checked before. */
export function checkMessages(messages: readonly unknown[], known = 0): void {
  if (!Array.isArray(messages)) throw new PithError('bad-argument', 'messages: is not a list')
  for (let i = known; i < messages.length; i++) {
    const problem = problemOf(messages[i])
    if (problem !== undefined) throw new PithError('bad-message', `message ${i + 1}: ${problem}`)
  }
}

function problemOf(message: unknown): string | undefined {
  if (!isRecord(message)) return `is ${kindOf(message)}, not a message with role and content`
  const { role, content, type } = message
  if (role === undefined && typeof type === 'string')
    return `is an item of OpenAI's Responses API (\`${type}\`): ${by('fromOpenAIResponses')}`
  if (role === 'model' || 'parts' in message) return 'has the shape of another SDK (`parts`): give it role and content'
  if (role === 'developer' || role === 'function' || 'tool_calls' in message || 'tool_call_id' in message)
    return `is a message of OpenAI's Chat Completions: ${by('fromOpenAIChat')}`
  if (typeof role !== 'string' || !isRole(role)) return `role: is ${shown(role)}, not system, user, assistant or tool`
  if (typeof content === 'string')
    return role === 'tool' ? 'content: a tool message has a list of tool-result parts' : undefined
  if (role === 'system') return `content: is ${kindOf(content)}; a system message has a text`
  if (!Array.isArray(content)) return `content: is ${kindOf(content)}, not a text or a list of parts`
  for (const [i, part] of content.entries()) {
    const problem = partProblem(part, role)
    if (problem !== undefined) return `content.${i}: ${problem}`
  }
  return undefined
}

function partProblem(part: unknown, role: Message['role']): string | undefined {
  if (!isRecord(part) || typeof part.type !== 'string') return `is ${kindOf(part)}, not a part with a type`
  const { type } = part
  const converter = CONVERTERS[type]
  if (converter !== undefined) return `\`${type}\` is a block of another provider: ${by(converter)}`
  if (!PARTS[role].some((known) => known === type))
    return `\`${type}\` is not a part of a message with role ${role}; it may have ${PARTS[role].join(', ')}`
  return fieldProblem(type, part)
}

/** The fields that are read from every part. */
function fieldProblem(type: string, part: Record<string, unknown>): string | undefined {
  if (type === 'image' && 'source' in part)
    return `\`image\` with a source is a block of Anthropic: ${by('fromAnthropic')}`
  if ((type === 'text' || type === 'reasoning') && typeof part.text !== 'string')
    return `text: is ${kindOf(part.text)}, not a text`
  if (type !== 'tool-call' && type !== 'tool-result') return undefined
  for (const name of ['toolCallId', 'toolName'])
    if (typeof part[name] !== 'string') return `${name}: is ${kindOf(part[name])}, not a text`
  if (type === 'tool-result' && (!isRecord(part.output) || typeof part.output.type !== 'string'))
    return `output: is ${kindOf(part.output)}, not { type: 'text', value: … } or the like`
  return undefined
}

function by(converter: string): string {
  return `${converter}() of pith/formats converts it`
}

function isRole(role: string): role is Message['role'] {
  return role in PARTS
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `\`${value}\`` : kindOf(value)
}

/** Throws an error in one line if the list has something that is not a model for summaries. */
export function checkSummaryModels(models: unknown): void {
  for (const [i, model] of checkedList(models).entries())
    if (typeof field(model, 'stream') !== 'function')
      throw new PithError('bad-argument', `summaryModels.${i}: is not { name, stream }${whoseModel(model)}`)
}

/** The list itself; empty if there is none. */
export function checkedList<T>(models: readonly T[] | undefined): readonly T[]
export function checkedList(models: unknown): readonly unknown[]
export function checkedList(models: unknown): readonly unknown[] {
  if (models === undefined) return []
  if (Array.isArray(models)) return models
  throw new PithError('bad-argument', 'summaryModels: is not a list: write [model], or [] for digests without a model')
}

/** A hint for models of frameworks: the function that turns them into a model for summaries. */
function whoseModel(model: unknown): string {
  const room = field(model, 'doStream') !== undefined ? 'ai-sdk' : field(model, 'invoke') && 'langchain'
  return room ? `: summaryModelOf() of pith/${room} converts it` : ''
}

/** How each provider names the two counts that `usage` has. */
const COUNTS: readonly (readonly [key: string, provider: string, inputTokens: string, outputTokens: string])[] = [
  ['prompt_tokens', "OpenAI's Chat Completions", 'prompt_tokens', 'completion_tokens'],
  [
    'cache_read_input_tokens',
    'Anthropic',
    'input_tokens + cache_read_input_tokens + cache_creation_input_tokens',
    'output_tokens',
  ],
  ['input_tokens', "OpenAI's Responses", 'input_tokens', 'output_tokens'],
  ['promptTokenCount', 'Google', 'promptTokenCount', 'candidatesTokenCount + thoughtsTokenCount'],
  ['promptTokens', 'an earlier AI SDK', 'promptTokens', 'completionTokens'],
]

/** The provider's count, as a caller gave it. Undefined if there is none, or if the AI SDK says that its provider did not count. */
export function checkedUsage(usage: Usage | undefined): Usage | undefined {
  if (usage === undefined || usage === null) return undefined
  if (!isRecord(usage)) throw new PithError('bad-argument', `usage: is ${kindOf(usage)}, not ${USAGE}`)
  const counts = COUNTS.find(([key]) => key in usage && !('inputTokens' in usage))
  if (counts !== undefined) {
    const [, provider, input, output] = counts
    const right = `{ inputTokens: ${input}, outputTokens: ${output} }`
    throw new PithError('bad-argument', `usage: has the keys of ${provider}: pass ${right} of it`)
  }
  if ('inputTokens' in usage && usage.inputTokens === undefined) return undefined
  for (const key of ['inputTokens', 'outputTokens'] as const) {
    const count: unknown = usage[key]
    if (typeof count === 'number' && count >= 0) continue
    const is = typeof count === 'number' ? String(count) : kindOf(count)
    throw new PithError('bad-argument', `usage: ${key}: is ${is}; usage is ${USAGE}`)
  }
  return usage
}

const USAGE = '{ inputTokens, outputTokens }, two numbers'

/** A context window in tokens, as a caller gave it. `why` is the reason to show if none was given. */
export function checkedWindow(window: unknown, why = `it is ${window}`): number {
  if (typeof window === 'number' && window > 0) return window
  throw new PithError('bad-argument', `window: the context window of the model in tokens is needed, and ${why}`)
}
