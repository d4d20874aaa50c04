/** The parts that fill a window, in the order in which they are drawn. */
export const CONTEXT_PARTS = [
  'system',
  'tools',
  'instructions',
  'memory',
  /** Counted by the provider, but not in the log: the system prompt and the tools of another agent. */
  'hidden',
  'summary',
  'index',
  'user',
  'assistant',
  'tool_results',
  'reasoning',
] as const
export type ContextPartName = (typeof CONTEXT_PARTS)[number]

/** The names of the parts for people. */
export const PART_TITLES: Readonly<Record<ContextPartName, string>> = {
  system: 'system prompt',
  tools: 'tool schemas',
  instructions: 'instructions',
  memory: 'memory',
  hidden: 'system and tools',
  summary: 'summary',
  index: 'index',
  user: 'user',
  assistant: 'assistant',
  tool_results: 'tool results',
  reasoning: 'reasoning',
}
