import { z } from 'zod'

/** How much a model thinks before it answers; `off` is not at all, where the model can. */
export type ReasoningLevel = z.infer<typeof reasoningLevelSchema>
export const reasoningLevelSchema = z.enum(['off', 'low', 'medium', 'high'])

/** A choice of the user: a level, or `auto`, which leaves it to the provider. */
export type ReasoningChoice = z.infer<typeof reasoningChoiceSchema>
export const reasoningChoiceSchema = z.enum(['auto', ...reasoningLevelSchema.options])
