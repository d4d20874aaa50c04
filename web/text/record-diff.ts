import { diffArrays } from 'diff'

/** A run of lines of two records: in both, only in the new one, or only in the old one. */
export type DiffRun = { readonly kind: 'same' | 'added' | 'removed'; readonly lines: readonly string[] }

/** The difference between two records, line by line. */
export function recordDiff(before: string, after: string): DiffRun[] {
  return diffArrays(linesOf(before), linesOf(after)).map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    lines: value,
  }))
}

function linesOf(text: string): string[] {
  return text.split(/\r\n?|\n/)
}
