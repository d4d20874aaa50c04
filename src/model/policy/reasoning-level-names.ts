/** The levels of reasoning. They stand apart from the schema, so that `--help` lists them without loading zod. */
export const REASONING_LEVELS = ['off', 'low', 'medium', 'high'] as const
