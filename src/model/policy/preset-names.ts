/** The systems whose wording is built in. `pith` is our own. */
export const STYLE_NAMES = ['pith', 'keen', 'koda', 'agent', 'kit'] as const

/** The built-in policies. The names are in their own file, so that `--help` lists them without loading zod. */
export const PRESET_NAMES = [...STYLE_NAMES, 'economy', 'balanced', 'full-window'] as const

/** The levels of reasoning. They are in their own file, so that `--help` lists them without loading zod. */
export const REASONING_LEVELS = ['off', 'low', 'medium', 'high'] as const
