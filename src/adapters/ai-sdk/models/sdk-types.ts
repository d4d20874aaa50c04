import type { LanguageModelMiddleware } from 'ai'

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
