import type { LanguageModel } from 'ai'
import type { ModelChunk, Prices, SummaryModel } from '../../../model/types.ts'
import { infoOf } from './model-info.ts'
import { usageOfStep } from './usage.ts'

/**
 * Makes a summary model from any language model of the AI SDK. Its window and prices are looked up if not given.
 *
 * @example
 * ```ts
 * import { openai } from '@ai-sdk/openai'
 * import { compactMessages } from 'pith'
 * import { summaryModelOf } from 'pith/ai-sdk'
 *
 * const summaryModels = [summaryModelOf(openai('gpt-5-mini'))]
 * await compactMessages(messages, { model: { contextWindow: 200_000 }, summaryModels })
 * ```
 */
export function summaryModelOf(
  model: LanguageModel,
  known: { readonly window?: number; readonly prices?: Prices } = {},
): SummaryModel {
  const info = infoOf(model)
  const window = known.window ?? info.maxInput ?? info.contextWindow
  const prices = known.prices ?? info.prices
  return {
    name: [info.provider, info.model].filter((part) => part !== undefined).join('/'),
    window,
    prices,
    async *stream({ system, messages, maxOutputTokens }, signal): AsyncGenerator<ModelChunk, void> {
      const { streamText } = await import('ai')
      const { fullStream } = streamText({
        model,
        ...(system === '' ? {} : { instructions: system }),
        messages: [...messages],
        maxOutputTokens,
        abortSignal: signal,
        // A failure arrives in the stream. Without this handler, the SDK would print it too.
        onError: () => {},
      })
      for await (const part of fullStream) {
        const chunk = chunkOf(part)
        if (chunk !== undefined) yield chunk
      }
    },
  }
}

type TextPart = { readonly type: string } & Record<string, unknown>

function chunkOf(part: TextPart): ModelChunk | undefined {
  switch (part.type) {
    case 'text-delta':
      return { type: 'text', text: String(part.text) }
    case 'tool-call':
      return { type: 'tool-call', name: String(part.toolName) }
    case 'error':
      return { type: 'error', error: part.error }
    case 'finish': {
      const reason = part.finishReason === 'stop' || part.finishReason === 'length' ? part.finishReason : 'other'
      const usage = usageOfStep(part.totalUsage as Parameters<typeof usageOfStep>[0])
      return { type: 'finish', reason, usage }
    }
    default:
      return undefined
  }
}
