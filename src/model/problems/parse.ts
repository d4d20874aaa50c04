import { z } from 'zod'
import { type ErrorCode, PithError } from './errors.ts'
import { nearest, noChoice, tooBig, tooSmall, unknownKey, wrongType } from './problem-text.ts'

/** Parses data that crosses a boundary. An error is one line that names the place and, for an unknown key, the nearest known one. */
export function parse<T>(
  schema: z.ZodType<T>,
  value: unknown,
  at: { what: string; code: ErrorCode; keys?: readonly string[] },
): T {
  const result = schema.safeParse(value, { error: issueText })
  if (result.success) return result.data
  const { path, text } = problemOf(result.error, () => at.keys ?? [])
  const where = path.length === 0 ? '' : `${path.map(String).join('.')}: `
  throw new PithError(at.code, `${at.what}: ${where}${text}`)
}

/** A problem with a value, and its path. For an unknown key, the path is that of its table. */
export type ParseProblem = {
  readonly path: readonly PropertyKey[]
  readonly text: string
  readonly unknownKey?: string
}

/** The first problem that a schema found. `keysAt` returns the keys that the table at a path may have. */
export function problemOf(
  error: z.ZodError,
  keysAt: (path: readonly PropertyKey[]) => readonly string[] = () => [],
): ParseProblem {
  const issue = misspelt(error.issues) ?? error.issues[0]
  if (issue === undefined) return { path: [], text: 'is not valid' }
  const { found, path } = deepest(issue)
  if (found.code === 'invalid_key') return { path, text: found.issues[0]?.message ?? found.message }
  if (found.code !== 'unrecognized_keys') return { path, text: found.message }
  const [key = ''] = found.keys
  return { path, text: unknownKey(key, keysAt(path)), unknownKey: key }
}

/** The issue of a key that is spelled almost like the missing key of the first issue: the schema reports the missing key first. */
function misspelt(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined {
  const path = issues[0]?.path.map(String) ?? []
  const key = path.at(-1)
  if (key === undefined) return undefined
  const table = path.slice(0, -1).join('.')
  return issues.find(
    (issue) =>
      issue.code === 'unrecognized_keys' &&
      issue.path.map(String).join('.') === table &&
      issue.keys.slice(0, 1).some((other) => nearest(other, [key]) !== undefined),
  )
}

type IssuePlace = { found: z.core.$ZodIssue; path: readonly PropertyKey[] }

/** A union reports the issues of each member; the member that got furthest is the one that was meant. */
function deepest(issue: z.core.$ZodIssue): IssuePlace {
  const here: IssuePlace = { found: issue, path: issue.path }
  if (issue.code !== 'invalid_union') return here
  const members = issue.errors.flatMap((issues) => issues.slice(0, 1)).map(deepest)
  const [furthest] = members.toSorted((a, b) => b.path.length - a.path.length)
  return furthest === undefined || furthest.path.length === 0
    ? here
    : { found: furthest.found, path: [...issue.path, ...furthest.path] }
}

/** The text for a schema's issue, for `safeParse`. The schema's own text comes first; undefined keeps the library's text. */
export function issueText(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue.expected, issue.input)
    case 'invalid_value':
      return issue.input === undefined
        ? `is missing: it ${noChoice(issue.values, undefined)}`
        : noChoice(issue.values, issue.input)
    case 'too_small':
      return tooSmall(issue.origin, issue.minimum, issue.inclusive)
    case 'too_big':
      return tooBig(issue.origin, issue.maximum, issue.inclusive)
    case 'invalid_format':
      return issue.format === 'url' ? 'must be a URL' : undefined
    case 'invalid_union':
      return 'has none of the accepted forms'
    case 'custom':
      return 'is not valid'
    default:
      return undefined
  }
}

/** The keys that the table at a path of a schema may have: the candidates for the nearest key. */
export function keysIn(schema: unknown, path: readonly PropertyKey[]): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return keysIn(schema.unwrap(), path)
  const [key, ...rest] = path
  if (schema instanceof z.ZodRecord) return key === undefined ? [] : keysIn(schema.valueType, rest)
  if (schema instanceof z.ZodArray) return key === undefined ? [] : keysIn(schema.element, rest)
  if (!(schema instanceof z.ZodObject)) return []
  return key === undefined ? Object.keys(schema.shape) : keysIn(schema.shape[String(key)], rest)
}
