import type { JsonValue } from './message.ts'

/** A tool as it is declared to the model. */
export type ToolSchema = { name: string; description?: string; inputSchema?: JsonValue }

/** The parts of every request besides the view. They cannot be compacted. */
export type Fixed = {
  readonly system?: string
  readonly tools?: readonly ToolSchema[]
  /** From `AGENTS.md`. */
  readonly instructions?: string
  /** From `MEMORY.md`. */
  readonly memory?: string
}
