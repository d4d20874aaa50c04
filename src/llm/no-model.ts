import type { ModelInfo } from '../model/model-info.ts'
import type { ChatModel } from './call/chat-model.ts'

/**
 * Stands for a model that cannot be used: whatever needs no model works, and a call fails with a line that says what to
 * set. `info` is what is known of the model all the same.
 */
export function noModel(text: string, info: ModelInfo = { provider: 'none', model: 'none' }): ChatModel {
  return {
    name: 'none/none',
    info,
    async *stream() {
      yield { type: 'failed', failure: { kind: 'auth', text } }
    },
  }
}

/** True for the model of `noModel`. */
export function isNoModel(model: Pick<ChatModel, 'name'>): boolean {
  return model.name === 'none/none'
}
