import type { z } from 'zod'
import { type ErrorCode, PithError } from './errors.ts'
import { nearest } from './nearest.ts'

/** Parses data that crosses a boundary; what is wrong becomes one line that names the place, and for an unknown key the nearest known one. */
export function parse<T>(
  schema: z.ZodType<T>,
  value: unknown,
  at: { what: string; code: ErrorCode; keys?: readonly string[] },
): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new PithError(at.code, `${at.what}: ${describe(result.error.issues[0], at.keys ?? [])}`)
}

function describe(issue: z.core.$ZodIssue | undefined, keys: readonly string[]): string {
  if (issue === undefined) return 'is not valid'
  const { found, path } = deepest(issue)
  const where = path.length === 0 ? '' : `${path.map(String).join('.')}: `
  if (found.code !== 'unrecognized_keys') return `${where}${found.message}`
  const key = found.keys[0] ?? ''
  const meant = nearest(key, keys)
  return `${where}unknown key \`${key}\`${meant === undefined ? '' : `, did you mean \`${meant}\`?`}`
}

type Located = { found: z.core.$ZodIssue; path: readonly PropertyKey[] }

/** A union reports the issues of each of its members; the member that got furthest is the one that was meant. */
function deepest(issue: z.core.$ZodIssue): Located {
  const here: Located = { found: issue, path: issue.path }
  if (issue.code !== 'invalid_union') return here
  const members = issue.errors.flatMap((issues) => issues.slice(0, 1)).map(deepest)
  const [furthest] = members.toSorted((a, b) => b.path.length - a.path.length)
  return furthest === undefined || furthest.path.length === 0
    ? here
    : { found: furthest.found, path: [...issue.path, ...furthest.path] }
}
