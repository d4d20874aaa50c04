import type { ChatModel } from './call/chat-model.ts'

/** Stands for a model that cannot be used: whatever needs no model works, and a call fails with a line that says what to set. */
export function noModel(text: string): ChatModel {
  return {
    name: 'none/none',
    info: { provider: 'none', model: 'none' },
    async *stream() {
      yield { type: 'failed', failure: { kind: 'auth', text } }
    },
  }
}

/** True for the model of `noModel`. */
export function isNoModel(model: Pick<ChatModel, 'name'>): boolean {
  return model.name === 'none/none'
}
