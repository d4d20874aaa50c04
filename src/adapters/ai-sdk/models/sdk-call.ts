import type { LanguageModelMiddleware } from 'ai'
import type { Request } from '../../../engine/context/view/request.ts'
import { unwrapForeign } from '../../../formats/ai-sdk/foreign-parts.ts'
import { usageOf } from '../../../llm/call/stream.ts'
import {
  type Fixed,
  type JsonValue,
  type Message,
  type ModelChunk,
  type ModelInfo,
  modelName,
  type ToolSchema,
  type WarmModel,
} from '../../../model/types.ts'

/** The model, asked with the request that its provider has in its cache; undefined if that request was answered too long ago, or never. */
export function warmModel(
  model: SdkModel,
  info: Partial<ModelInfo>,
  paramsNow: () => CallOptions,
  answeredAt: number | undefined,
): WarmModel | undefined {
  if (answeredAt === undefined || isForgotten(answeredAt)) return undefined
  return {
    name: modelName({ provider: info.provider ?? model.provider, model: info.model ?? model.modelId }),
    prices: info.prices,
    async *stream(directive, abortSignal): AsyncGenerator<ModelChunk, void> {
      const asked = { role: 'user' as const, content: [{ type: 'text' as const, text: directive }] }
      const params = paramsNow()
      const { stream } = await model.doStream({ ...params, prompt: [...params.prompt, asked], abortSignal })
      for await (const part of stream) {
        const chunk = chunkOf(part)
        if (chunk !== undefined) yield chunk
      }
    },
  }
}

function chunkOf(part: StreamPart): ModelChunk | undefined {
  switch (part.type) {
    case 'text-delta':
      return { type: 'text', text: part.delta }
    case 'tool-call':
      return { type: 'tool-call', name: part.toolName }
    case 'error':
      return { type: 'error', error: part.error }
    case 'finish': {
      const { unified } = part.finishReason
      const usage = usageOf(part)
      const reason = unified === 'stop' || unified === 'length' ? unified : 'other'
      return { type: 'finish', reason, usage }
    }
    default:
      return undefined
  }
}

// Derived from the exports of `ai`, so that we need not depend on a version of its provider package.
export type Middleware = LanguageModelMiddleware
type WrapStream = Parameters<NonNullable<Middleware['wrapStream']>>[0]
type WrapGenerate = Parameters<NonNullable<Middleware['wrapGenerate']>>[0]

/** A language model of the AI SDK, as its providers implement it. */
export type SdkModel = WrapStream['model']
export type CallOptions = WrapStream['params']
export type Prompt = CallOptions['prompt']
export type PromptMessage = Prompt[number]
export type StreamResult = Awaited<ReturnType<WrapStream['doStream']>>
export type GenerateResult = Awaited<ReturnType<WrapGenerate['doGenerate']>>
export type StreamPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never

/** The shortest time for which providers keep a prefix in their cache. */
export const CACHED_MS = 5 * 60_000

/** True when a request was answered too long ago for the provider's cache. */
export function isForgotten(answeredAt: number | undefined): boolean {
  return answeredAt !== undefined && Date.now() - answeredAt > CACHED_MS
}

type System = Extract<PromptMessage, { role: 'system' }>

/** Splits a prompt of the AI SDK into the instructions at its front and the conversation as our messages. */
export function readPrompt(prompt: Prompt): { instructions: System[]; messages: Message[] } {
  const first = prompt.findIndex((message) => message.role !== 'system')
  const end = first === -1 ? prompt.length : first
  return {
    instructions: prompt.slice(0, end).filter((message) => message.role === 'system'),
    messages: prompt.slice(end).map((message) => message as Message),
  }
}

/** The instructions, followed by the request. Messages that the view did not change are the same objects. */
export function writePrompt(instructions: readonly System[], { system, messages }: Request): Prompt {
  return [
    ...instructions,
    ...system.map((content): System => ({ role: 'system', content })),
    ...messages.map(promptMessage),
  ]
}

/** The parts of every request of a call besides its conversation. */
export function fixedInCall(instructions: readonly System[], tools: CallOptions['tools']): Fixed {
  return { system: instructions.map(({ content }) => content).join('\n'), tools: toolsInCall(tools) }
}

/** The tools of a call, to be counted. */
export function toolsInCall(tools: CallOptions['tools'] = []): ToolSchema[] {
  return tools.map((tool): ToolSchema => {
    if (tool.type !== 'function') return { name: tool.name, inputSchema: tool.args as JsonValue }
    return { name: tool.name, description: tool.description, inputSchema: tool.inputSchema as JsonValue }
  })
}

/** The engine writes a text as a plain string, but providers of the SDK accept only parts. */
export function promptMessage(message: Message): PromptMessage {
  const own = unwrapForeign(message)
  if (own.role === 'system' || typeof own.content !== 'string') return own as PromptMessage
  return { ...own, content: [{ type: 'text', text: own.content }] } as PromptMessage
}
