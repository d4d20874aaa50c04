import { z } from 'zod'

/** The keys that the table at a path of a schema may have: the candidates for the nearest key. */
export function keysIn(schema: unknown, path: readonly PropertyKey[]): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return keysIn(schema.unwrap(), path)
  const [key, ...rest] = path
  if (schema instanceof z.ZodRecord) return key === undefined ? [] : keysIn(schema.valueType, rest)
  if (schema instanceof z.ZodArray) return key === undefined ? [] : keysIn(schema.element, rest)
  if (!(schema instanceof z.ZodObject)) return []
  return key === undefined ? Object.keys(schema.shape) : keysIn(schema.shape[String(key)], rest)
}
