/** A tool as it is declared to the model. The schema is counted as the JSON that it becomes. */
export type ToolSchema = { name: string; description?: string | undefined; inputSchema?: unknown }

/** The parts of every request besides the view. They cannot be compacted. */
export type Fixed = {
  readonly system?: string
  readonly tools?: readonly ToolSchema[]
  /** From `AGENTS.md`. */
  readonly instructions?: string
  /** From `MEMORY.md`. */
  readonly memory?: string
}
