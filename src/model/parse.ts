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
  const deepest = deepestIssue(issue)
  const place = [...issue.path, ...(deepest === issue ? [] : deepest.path)].map(String).join('.')
  const where = place === '' ? '' : `${place}: `
  if (deepest.code !== 'unrecognized_keys') return `${where}${deepest.message}`
  const key = deepest.keys[0] ?? ''
  const meant = nearest(key, keys)
  return `${where}unknown key \`${key}\`${meant === undefined ? '' : `, did you mean \`${meant}\`?`}`
}

/** A union reports one list of issues per member; the member that got furthest is the one that was meant. */
function deepestIssue(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue
  const firsts = issue.errors.flatMap((issues) => issues.slice(0, 1)).map(deepestIssue)
  return firsts.reduce<z.core.$ZodIssue>((best, next) => (next.path.length > best.path.length ? next : best), issue)
}
