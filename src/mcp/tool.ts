import type { z } from 'zod'
import type { SessionFinder } from './found-session.ts'

/** A tool of the server: its texts, its arguments, and what it answers. */
export type McpTool<Input = unknown> = {
  readonly name: string
  readonly description: string
  readonly input: z.ZodType<Input>
  /** True when it changes nothing. */
  readonly isReadOnly: boolean
  readonly run: (input: Input, call: ToolCall) => Promise<string>
}

/** What a call comes with. */
export type ToolCall = {
  readonly finder: SessionFinder
  readonly signal: AbortSignal
  /** Tells the client how far a long search is; nothing happens when it did not ask for that. */
  readonly progress: (done: number, message: string) => Promise<void>
  readonly clock: () => number
}
