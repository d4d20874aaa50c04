import type { z } from 'zod'
import type { SessionFinder } from './found-session.ts'

/** A tool of the server. */
export type McpTool<Input = unknown> = {
  readonly name: string
  readonly description: string
  readonly input: z.ZodType<Input>
  /** True when it changes nothing. */
  readonly isReadOnly: boolean
  readonly run: (input: Input, call: ToolCall) => Promise<string>
}

/** The context of a call. */
export type ToolCall = {
  readonly finder: SessionFinder
  readonly signal: AbortSignal
  /** Reports the progress of a long search to the client, if it asked for that. */
  readonly progress: (done: number, message: string) => Promise<void>
  readonly clock: () => number
}
