import { z } from '@hono/zod-openapi'
import { presetSchema, rungSchema } from '../model/policy.ts'

/** The presets, the rungs and the levels by their names. */
export const presetNames = presetSchema.options
export const rungNames = rungSchema.options
export const levelSchema = z.enum(['normal', 'warning', 'critical', 'unknown'])
