import { expect, it } from 'vitest'
import { markedHandles, markUpTo, NO_ROWS, toggleRow } from '../../../web/state/marked-rows.ts'

it('rows are marked one by one, and named with ranges in the order of the log', () => {
  const rows = [8, 3, 5, 4, 10].reduce(toggleRow, NO_ROWS)
  expect(markedHandles(rows)).toBe('#3-#5, #8, #10')
  expect(markedHandles(toggleRow(rows, 4))).toBe('#3, #5, #8, #10')
})

it('all rows from the last one are marked, in both directions, and others stay', () => {
  const rows = markUpTo(toggleRow(toggleRow(NO_ROWS, 20), 7), 4)
  expect(markedHandles(rows)).toBe('#4-#7, #20')
  expect(markedHandles(markUpTo(NO_ROWS, 4))).toBe('#4')
})
