import { expect, it } from 'vitest'
import { lostPromptsText } from '../../../src/engine/report/issue-lines.ts'

it('says how many typed prompts are missing, and which one comes first', () => {
  const lost = [
    { line: 7, text: 'mend the\nupload' },
    { line: 9, text: 'and test it' },
  ]
  expect(lostPromptsText(1_200, lost)).toBe(
    '2 of 1,200 typed prompts did not reach the log; the first, in line 7: mend the upload',
  )
})

it('cuts a long prompt after 80 characters', () => {
  expect(lostPromptsText(1, [{ line: 3, text: 'x'.repeat(200) }])).toBe(
    `1 of 1 typed prompt did not reach the log; the first, in line 3: ${'x'.repeat(80)}…`,
  )
})

it('says nothing when all prompts arrived', () => {
  expect(lostPromptsText(3, [])).toBeUndefined()
})
