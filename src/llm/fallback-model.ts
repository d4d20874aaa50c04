import type { ChatModel } from './call/chat-model.ts'
import { type OpenModelDeps, openModel } from './open-model.ts'

/** The model that takes over when another cannot be reached; undefined if none is named, or it cannot be used. */
export function fallbackModel(name: string | undefined, deps: OpenModelDeps): ChatModel | undefined {
  const opened = name === undefined ? undefined : openModel(name, deps)
  return opened === undefined || 'unusable' in opened ? undefined : opened
}
