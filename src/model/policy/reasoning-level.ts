import { z } from 'zod'
import { REASONING_LEVELS } from './reasoning-level-names.ts'

/** How much a model thinks before it answers; `off` means not at all, if the model can. */
export type ReasoningLevel = z.infer<typeof reasoningLevelSchema>
export const reasoningLevelSchema = z.enum(REASONING_LEVELS)

/** A choice of the user: a level, or `auto`, which leaves it to the provider. */
export type ReasoningChoice = z.infer<typeof reasoningChoiceSchema>
export const reasoningChoiceSchema = z.enum(['auto', ...REASONING_LEVELS])
