import type { ChatModel } from './chat-model.ts'

/** Stands for a model that cannot be asked: all that needs none works, and asking it says what to set. */
export function noModel(text: string): ChatModel {
  return {
    name: 'none/none',
    info: { provider: 'none', model: 'none' },
    async *stream() {
      yield { type: 'failed', failure: { kind: 'auth', text } }
    },
  }
}

/** True for the model that stands for none. */
export function isNoModel(model: Pick<ChatModel, 'name'>): boolean {
  return model.name === 'none/none'
}
