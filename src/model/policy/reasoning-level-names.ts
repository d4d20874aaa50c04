/** The levels of reasoning. They are in their own file, so that `--help` lists them without loading zod. */
export const REASONING_LEVELS = ['off', 'low', 'medium', 'high'] as const
