import { asSummaryModel, openModel } from '../../src/llm/index.ts'
import type { SummaryModel, SummaryRequest } from '../../src/model/types.ts'
import { registryOf } from '../../src/models/registry.ts'

/** A model that is called as `pith` calls every model, through the AI SDK, and the bare call to compare with. */
export type AskedModel = {
  readonly model: SummaryModel
  /** Sends the last request again, over the same client, and reads its answer to the end. */
  readonly askAgain: () => Promise<void>
}

const INFO = { provider: 'bench', model: 'instant', contextWindow: 1_000_000, maxOutput: 64_000 }

export function askedModel(baseUrl: string): AskedModel {
  const opened = openModel('bench/instant', {
    registry: registryOf([INFO]),
    providers: { bench: { kind: 'openai-compatible', baseUrl, apiKey: 'none' } },
    env: {},
  })
  if ('unusable' in opened) throw new Error(opened.text)
  const asked = asSummaryModel(opened)
  let last: SummaryRequest | undefined
  return {
    model: {
      ...asked,
      stream: (request, signal) => {
        last = request
        return asked.stream(request, signal)
      },
    },
    askAgain: async () => {
      if (last === undefined) throw new Error('the model was never asked')
      let text = ''
      for await (const chunk of asked.stream(last, new AbortController().signal))
        if (typeof chunk !== 'string' && chunk.type === 'text') text += chunk.text
      if (text === '') throw new Error('the model did not answer')
    },
  }
}
