import { z } from '@hono/zod-openapi'
import { presetNameSchema, rungSchema } from '../model/policy.ts'

/** The presets, the rungs and the levels by their names. */
export const presetNames = presetNameSchema.options
export const rungNames = rungSchema.options
export const levelSchema = z.enum(['normal', 'warning', 'critical', 'unknown'])
