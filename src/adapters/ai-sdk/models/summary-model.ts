import type { LanguageModel, LanguageModelUsage } from 'ai'
import { checkedList } from '../../../model/problems/check-arguments.ts'
import {
  type ModelChunk,
  type ModelInfo,
  modelName,
  type Prices,
  type SummaryModel,
  type Usage,
} from '../../../model/types.ts'
import { loadRegistry, resolveModel } from '../../../models/registry.ts'
import type { ContextOptions } from '../context/context-options.ts'

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

/** Facts about a model of the AI SDK, looked up by the name of its provider (`anthropic.messages`) and its own. */
function infoOf(model: LanguageModel): Partial<ModelInfo> {
  if (typeof model === 'string') return model.includes('/') ? resolveModel(loadRegistry(), model) : { model }
  const [provider = model.provider] = model.provider.split('.')
  if (provider === '' || model.modelId === '') return { model: model.modelId }
  return resolveModel(loadRegistry(), `${provider}/${model.modelId}`)
}

/** The name of a model as the log has it, if its provider is known. */
export function nameInLog({ provider, model }: Partial<ModelInfo>): string | undefined {
  return provider === undefined || model === undefined ? undefined : modelName({ provider, model })
}

/** The facts about a model. Facts from the caller take precedence over those of the registry. */
export function infoWith(
  given: { readonly window?: number; readonly model?: string | Partial<ModelInfo> },
  model: LanguageModel | undefined,
): Partial<ModelInfo> {
  const named = typeof given.model === 'string' ? resolveModel(loadRegistry(), given.model) : given.model
  const found = named ?? (model === undefined ? {} : infoOf(model))
  return given.window === undefined ? found : { ...found, contextWindow: given.window, maxInput: undefined }
}

type ModelOptions = Pick<ContextOptions, 'summaryModels' | 'summaryModel'>

/** The models that write summaries under these options: the conversation's own model if none is named. */
export function summaryModelsOf(options: ModelOptions, main: LanguageModel): readonly SummaryModel[] {
  return (namedModels(options) ?? [main]).map((model) =>
    typeof model === 'object' && 'stream' in model ? model : summaryModelOf(model),
  )
}

/** The models that the options name; undefined if the model of the call is to write the summaries. */
export function namedModels({ summaryModels, summaryModel }: ModelOptions): ModelOptions['summaryModels'] {
  checkedList(summaryModels)
  if (summaryModels !== undefined || summaryModel === undefined) return summaryModels
  return summaryModel === false ? [] : [summaryModel]
}

/** The provider's count of a step, as the AI SDK reports it; undefined when a count is missing. */
export function usageOfStep(usage: LanguageModelUsage | undefined): Usage | undefined {
  const { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails } = usage ?? {}
  if (inputTokens === undefined || inputTokens === 0 || outputTokens === undefined) return undefined
  const { cacheReadTokens, cacheWriteTokens } = inputTokenDetails ?? {}
  const { reasoningTokens } = outputTokenDetails ?? {}
  return {
    inputTokens,
    outputTokens,
    ...(cacheReadTokens ? { cacheReadTokens } : {}),
    ...(cacheWriteTokens ? { cacheWriteTokens } : {}),
    ...(reasoningTokens ? { reasoningTokens } : {}),
  }
}
