import { type ModelInfo, NO_PROVIDER } from '../model/types.ts'
import { RETRY_LIMITS } from './call/back-off.ts'
import { type ChatModel, Retries } from './call/chat-model.ts'
import { sleep } from './call/stream.ts'

/** Used if nothing is known of a model, not even its provider. */
export const UNKNOWN_MODEL = { provider: NO_PROVIDER, model: 'none' } as const

/**
 * A placeholder for a model that cannot be used. Everything that needs no model works, and a call fails with a line that says
 * what to set. `info` has the known facts about the model.
 */
export function noModel(text: string, info: ModelInfo = UNKNOWN_MODEL): ChatModel {
  return {
    name: 'none/none',
    info,
    retries: () => new Retries({ limits: RETRY_LIMITS, random: Math.random, sleep }),
    async *stream() {
      yield { type: 'failed', failure: { kind: 'auth', text } }
    },
  }
}

/** True for the model of `noModel`. */
export function isNoModel(model: Pick<ChatModel, 'name'>): boolean {
  return model.name === 'none/none'
}
