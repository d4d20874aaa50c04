import { expect, it } from 'vitest'
import { CONTEXT_PARTS, PART_TITLES } from '../../../src/engine/report/part-names.ts'

it('each part of a context has a title that no other part has', () => {
  const titles = CONTEXT_PARTS.map((name) => PART_TITLES[name])
  expect(new Set(titles).size).toBe(CONTEXT_PARTS.length)
  for (const title of titles) expect(title).toMatch(/^[a-z ]+$/)
})
