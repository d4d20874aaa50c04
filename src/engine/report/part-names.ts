/** The parts that fill a window, in the order in which they are drawn. */
export const CONTEXT_PARTS = [
  'system',
  'tools',
  'instructions',
  'memory',
  /** Counted by the provider, but not in the log. */
  'hidden',
  'summary',
  'index',
  'user',
  'assistant',
  'tool_results',
  'reasoning',
  'images',
] as const
export type ContextPartName = (typeof CONTEXT_PARTS)[number]

/** The names of the parts for people. */
export const PART_TITLES: Readonly<Record<ContextPartName, string>> = {
  system: 'system prompt',
  tools: 'tool schemas',
  instructions: 'instructions',
  memory: 'memory',
  hidden: 'not in the log',
  summary: 'summary',
  index: 'index',
  user: 'user',
  assistant: 'assistant',
  tool_results: 'tool results',
  reasoning: 'reasoning',
  images: 'images',
}

/** The line that explains the part `hidden`, if there is one. */
export function notInLogLines(
  parts: readonly { readonly name: ContextPartName; readonly tokens: number }[],
): readonly string[] {
  return parts.some(({ name, tokens }) => name === 'hidden' && tokens > 0) ? [NOT_IN_LOG] : []
}

export const NOT_IN_LOG =
  'not in the log: the provider counted it, for example the agent’s own prompt, tools and reminders'
