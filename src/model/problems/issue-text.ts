import type { z } from 'zod'
import { noChoice, tooBig, tooSmall, wrongType } from './problem-text.ts'

/** The words of a schema's issue, for `safeParse`. A text of the schema's own comes first; undefined leaves the library's words. */
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
      return 'has none of the forms that it takes'
    case 'custom':
      return 'is not valid'
    default:
      return undefined
  }
}
