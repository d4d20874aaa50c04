import type { z } from 'zod'

/** A body that is not even of the provider's shape. */
export class BadBody extends Error {}

/** Parses a body, or says like a provider where it is wrong. */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new BadBody(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`)
}

/** The arguments of a call that come as JSON text; text that is not JSON stays text. */
export function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The texts that appear more than once, once each. */
export function repeated(texts: readonly string[]): string[] {
  return [...new Set(texts.filter((text, i) => texts.indexOf(text) !== i))]
}
