import type { z } from 'zod'
import { PithError } from '../../model/problems/errors.ts'
import { issueText, keysIn, problemOf } from '../../model/problems/parse.ts'

/** The place of a key, for errors: `config.yaml:3`. Undefined if it is not known. */
export type PlaceOf = (path: readonly PropertyKey[]) => string | undefined

/** Parses the table at a path of the configuration. An error is one line that names the place and the key. */
export function checkTable<T>(schema: z.ZodType<T>, table: unknown, at: readonly string[], placeOf: PlaceOf): T {
  const result = schema.safeParse(table, { error: issueText })
  if (result.success) return result.data
  throw tableError(schema, result.error, at, placeOf)
}

/** The error of a schema for the table at a path, as one line. */
export function tableError(schema: z.ZodType, error: z.ZodError, at: readonly string[], placeOf: PlaceOf): PithError {
  const { path, text, unknownKey } = problemOf(error, (inside) => keysIn(schema, inside))
  const key = [...at, ...path]
  const place = placeOf(unknownKey === undefined ? key : [...key, unknownKey]) ?? ''
  return new PithError('bad-config', [place, key.map(String).join('.'), text].filter((part) => part !== '').join(': '))
}
