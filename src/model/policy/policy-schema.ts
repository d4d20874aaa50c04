import { z } from 'zod'
import type { PolicySetting } from './policy.ts'
import { type NumberField, POLICY_FIELDS, type PolicyField, RUNG_NAMES } from './policy-fields.ts'
import { PRESET_NAMES, REASONING_LEVELS, STYLE_NAMES } from './preset-names.ts'

/** How much a model thinks before it answers; `off` means not at all, if the model can. */
export type ReasoningLevel = z.infer<typeof reasoningLevelSchema>
export const reasoningLevelSchema = z.enum(REASONING_LEVELS)

/** A choice of the user: a level, or `auto`, which leaves it to the provider. */
export type ReasoningChoice = z.infer<typeof reasoningChoiceSchema>
export const reasoningChoiceSchema = z.enum(['auto', ...REASONING_LEVELS])

export const styleSchema = z.enum(STYLE_NAMES)
export const presetSchema = z.enum(PRESET_NAMES)
export const rungSchema = z.enum(RUNG_NAMES)

type Fields = typeof POLICY_FIELDS
type Shape = {
  [K in keyof Fields]: Fields[K] extends { optional: true }
    ? z.ZodOptional<z.ZodType<PolicySetting<K>>>
    : z.ZodType<PolicySetting<K>>
}

export const policySchema = z.strictObject(
  Object.fromEntries(Object.entries(POLICY_FIELDS).map(([name, field]) => [name, schemaOf(field)])) as Shape,
)
export const policyPatchSchema = policySchema.partial()

function schemaOf(field: PolicyField): z.ZodType {
  const schema = valueSchema(field)
  return (field.optional ? schema.optional() : schema).describe(field.meaning)
}

function valueSchema(field: PolicyField): z.ZodType {
  switch (field.kind) {
    case 'number':
      return numberSchema(field)
    case 'flag':
      return z.boolean()
    case 'text':
      return z.string().min(1)
    case 'choice':
      return z.enum(field.of)
    case 'list':
      return z.array(z.enum(field.of)).min(1)
  }
}

function numberSchema({ whole, min, max, above }: NumberField): z.ZodType {
  let schema = whole ? z.number().int() : z.number()
  if (min !== undefined) schema = schema.min(min)
  if (max !== undefined) schema = schema.max(max)
  return above === undefined ? schema : schema.gt(above)
}
