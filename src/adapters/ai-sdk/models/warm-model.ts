import { usageOf } from '../../../llm/call/usage-of.ts'
import { type ModelChunk, type ModelInfo, modelName, type WarmModel } from '../../../model/types.ts'
import { isForgotten } from '../context/forgotten.ts'
import type { CallOptions, SdkModel, StreamPart } from './sdk-types.ts'

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
