import type { Fault } from './fault.ts'
import type { ModelRequest } from './model-request.ts'

/** A call of a tool. Codex's model names the server of a tool as its namespace. */
export type ToolCall = { readonly name: string; readonly input: unknown; readonly namespace?: string }

/** The model's answer. `finish` is `stop`, or `tool-calls` when there are any, unless it is set. */
export type Answer = {
  /** The reasoning before the answer; sent sealed if the protocol has seals. */
  readonly reasoning?: string
  readonly text?: string
  /** The arguments of a call; a text is sent as it is, so that it may be cut. */
  readonly calls?: readonly ToolCall[]
  readonly finish?: 'length' | 'content-filter'
}

/** The model itself: from a request to its answer. It knows nothing but what it was sent. */
export type Brain = (request: ModelRequest, number: number) => Answer | Fault | Promise<Answer | Fault>

/** The arguments of a call as a model writes them. */
export function argumentsText(input: unknown): string {
  return typeof input === 'string' ? input : JSON.stringify(input)
}

/** How an answer ends, in words that each protocol translates. */
export type Finish = 'stop' | 'tool-calls' | 'length' | 'content-filter'

export function finishOf({ calls = [], finish }: Answer): Finish {
  return finish ?? (calls.length > 0 ? 'tool-calls' : 'stop')
}
