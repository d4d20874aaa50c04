import { expect, it } from 'vitest'
import { issueLines } from '../../../src/engine/report/issue-lines.ts'

it('every place of a file that was not read as written is named with what was done about it', () => {
  const parent = 'its parent adf9 is not in the file; what stands before it is taken for it'
  const issues = [
    { line: 3, reason: parent },
    { line: 0, reason: 'the file ends too early' },
  ]
  expect(issueLines(issues, 2)).toEqual([
    '2 places of the file could not be read as written:',
    `  line 3: ${parent}`,
    '  the file ends too early',
  ])
  const many = Array.from({ length: 20 }, (_, i) => ({ line: i + 1, reason: 'the line is not a JSON object' }))
  expect(issueLines(many, 25).at(-1)).toBe('  and 15 more places')
  expect(issueLines([], 0)).toEqual([])
})
