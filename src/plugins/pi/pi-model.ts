import { serializeAll } from '../../engine/record/serialize.ts'
import {
  type Fixed,
  type JsonValue,
  type Message,
  type ModelChunk,
  type ModelInfo,
  type SummaryModel,
  textOf,
  type Usage,
} from '../../model/types.ts'
import type { PiApi, PiContext, PiMessage, PiModel, PiModels, PiUsage } from './pi-api.ts'

/** A model of pi as Pith describes models. */
export function modelInfoOf({ provider, id, contextWindow, maxTokens, cost }: PiModel): ModelInfo {
  return {
    provider,
    model: id,
    contextWindow: contextWindow || undefined,
    maxOutput: maxTokens || undefined,
    prices: cost,
  }
}

/** Makes a summary model from the model of a session. It is called through pi, with pi's key, address and headers. `spent` gets the usage of each call. */
export function piSummaryModel(model: PiModel, models: PiModels, spent: (usage: PiUsage) => void): SummaryModel {
  return {
    name: `${model.provider}/${model.id}`,
    window: model.contextWindow,
    prices: model.cost,
    async *stream({ system, messages, maxOutputTokens }, signal): AsyncGenerator<ModelChunk> {
      const request = { systemPrompt: system === '' ? undefined : system, messages: [oneMessage(messages)] }
      const maxTokens = Math.min(maxOutputTokens ?? MOST_TOKENS, model.maxTokens || MOST_TOKENS)
      const options = { signal, maxTokens, cacheRetention: 'none' } as const
      for await (const event of models.streamSimple(model, request, options)) {
        if (event.type === 'text_delta') yield event.delta
        if (event.type === 'error') yield { type: 'error', error: new Error(event.error.errorMessage ?? 'it failed') }
        if (event.type !== 'done') continue
        spent(event.message.usage)
        const reason = event.reason === 'stop' || event.reason === 'length' ? event.reason : 'other'
        yield { type: 'finish', reason, usage: usageOf(event.message.usage) }
      }
    },
  }
}

/** The sum of two usages. */
export function addPiUsage(a: PiUsage | undefined, b: PiUsage): PiUsage {
  if (a === undefined) return b
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    totalTokens: a.totalTokens + b.totalTokens,
    cost: {
      input: a.cost.input + b.cost.input,
      output: a.cost.output + b.cost.output,
      cacheRead: a.cost.cacheRead + b.cost.cacheRead,
      cacheWrite: a.cost.cacheWrite + b.cost.cacheWrite,
      total: a.cost.total + b.cost.total,
    },
  }
}

function usageOf({ input, output, cacheRead, cacheWrite }: PiUsage): Usage {
  return {
    inputTokens: input + cacheRead + cacheWrite,
    outputTokens: output,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
  }
}

const MOST_TOKENS = 16_000

/** All messages as one text of the user. pi's assistant messages need a model and a cost, which ours do not have. */
function oneMessage(messages: readonly Message[]): PiMessage {
  const [first, ...others] = messages
  const text = first !== undefined && others.length === 0 ? textOf(first) : serializeAll(messages, { cutCharacters: 0 })
  return { role: 'user', content: [{ type: 'text', text }], timestamp: 0 }
}

/** The parts of every request of pi besides the conversation. */
export function fixedOf(context: PiContext, pi: PiApi): Fixed {
  const active = new Set(pi.getActiveTools())
  const tools = pi
    .getAllTools()
    .filter(({ name }) => active.has(name))
    .map(({ name, description, parameters }) => ({
      name,
      description,
      // A schema of parameters is always JSON.
      inputSchema: parameters as JsonValue | undefined,
    }))
  return { system: context.getSystemPrompt(), tools }
}
