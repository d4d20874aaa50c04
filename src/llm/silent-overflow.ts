import type { Usage } from '../model/usage.ts'
import type { Target } from './attempt.ts'
import type { ModelCall, ModelFailure } from './chat-model.ts'

export type SilentInput = {
  readonly call: ModelCall
  readonly target: Target
  readonly isEmpty: boolean
  readonly reason: { readonly unified: string; readonly raw: string | undefined }
  readonly usage: Usage | undefined
}

/** An overflow that no error tells of. */
export function silentOverflow({ isEmpty, reason, target }: SilentInput): ModelFailure | undefined {
  if (reason.unified === 'length' && isEmpty) {
    return { kind: 'overflow', text: `${target.endpoint.provider}: the window has no room for an answer` }
  }
  return undefined
}
