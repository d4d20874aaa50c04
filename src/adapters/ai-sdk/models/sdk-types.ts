import type { LanguageModelMiddleware } from 'ai'

// Taken from what `ai` itself exports, so that the version of its provider package is not ours to name.
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
