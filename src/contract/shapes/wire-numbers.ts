import { z } from '@hono/zod-openapi'

/** The kinds of numbers in the shapes of HTTP. */
export const wireCount = z.number().int().nonnegative()
export const wireSeq = wireCount.openapi({ description: 'The place of an entry in the log of its session' })
export const wireTime = z.number().openapi({ description: 'Milliseconds since 1970' })
export const wireDollars = z.number().nonnegative()
