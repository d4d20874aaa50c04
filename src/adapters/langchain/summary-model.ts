import { type ModelChunk, type Prices, type SummaryModel, textOf } from '../../model/types.ts'
import { loadRegistry, modelNamed } from '../../models/registry.ts'
import { wordsIn } from './message-form.ts'

type ChainChunk = {
  readonly content: unknown
  readonly usage_metadata?: { readonly input_tokens: number; readonly output_tokens: number } | undefined
}

/** The part of LangChain's `BaseChatModel` that is used. */
export type ChainModel = {
  stream(
    messages: [role: 'system' | 'user' | 'assistant', content: string][],
    options: { signal: AbortSignal },
  ): Promise<AsyncIterable<ChainChunk>>
}

/**
 * Makes a summary model for `summaryModels` from a chat model of LangChain. If no window is given, it is the one that LangChain
 * or the registry knows.
 *
 * @example
 * ```js
 * import { ChatOpenAI } from '@langchain/openai'
 * import { compactionMiddleware, summaryModelOf } from 'pith/langchain'
 *
 * const summaryModels = [summaryModelOf(new ChatOpenAI({ model: 'gpt-5-mini' }))]
 * const middleware = [compactionMiddleware({ window: 200_000, summaryModels })]
 * ```
 */
export function summaryModelOf(
  model: ChainModel,
  known: { readonly window?: number; readonly prices?: Prices } = {},
): SummaryModel {
  const name = nameOf(model)
  const info = modelNamed(loadRegistry(), name)
  return {
    name,
    window: known.window ?? profileOf(model) ?? info.maxInput ?? info.contextWindow,
    prices: known.prices ?? info.prices,
    async *stream({ system, messages }, signal): AsyncGenerator<ModelChunk, void> {
      const asked = messages.map((message): [role: 'user' | 'assistant', content: string] => [
        message.role === 'assistant' ? 'assistant' : 'user',
        textOf(message),
      ])
      let usage: ChainChunk['usage_metadata']
      for await (const chunk of await model.stream([['system', system], ...asked], { signal })) {
        usage = chunk.usage_metadata ?? usage
        const text = wordsIn(chunk.content)
        if (text !== '') yield text
      }
      const counted = usage && { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens }
      yield { type: 'finish', reason: 'stop', ...(counted === undefined ? {} : { usage: counted }) }
    },
  }
}

/** A name like `openai/gpt-5`. LangChain has the provider in its namespace, and the model's name in one of several fields. */
function nameOf(model: object): string {
  const { model: own, modelName, lc_namespace } = model as Record<string, unknown>
  const name = typeof own === 'string' ? own : typeof modelName === 'string' ? modelName : 'unknown'
  const provider = Array.isArray(lc_namespace) ? String(lc_namespace[2] ?? '') : ''
  return provider === '' || name.includes('/') ? name : `${provider}/${name}`
}

/** The window from the profile that models of LangChain 1 have. */
function profileOf(model: object): number | undefined {
  const { profile } = model as { readonly profile?: { readonly maxInputTokens?: unknown } }
  return typeof profile?.maxInputTokens === 'number' ? profile.maxInputTokens : undefined
}
