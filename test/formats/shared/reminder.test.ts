import { expect, it } from 'vitest'
import { reminder } from '../../../src/formats/shared/user-words.ts'

it('words of a program are marked once, and nothing stays nothing', () => {
  const marked = '<system-reminder>\nThe text of a skill.\n</system-reminder>'
  expect(reminder('The text of a skill.')).toBe(marked)
  expect(reminder(marked)).toBe(marked)
  expect(reminder('')).toBe('')
  expect(reminder(' \n')).toBe(' \n')
})
