import { expect, it } from 'vitest'
import { searchAnswer } from '../../src/search/hits.ts'

it('a model reads in one line that entries are not indexed yet, with hits and without', () => {
  const line = '300 entries are not indexed yet: search again in a minute to find more.'
  const found = { total: 1, searched: 200, nearest: [], waiting: 300 }
  const hit = { session: 's', seq: 7, turn: 7, type: 'message', at: 0, snippet: 'heron', also: [], near: [] } as const
  expect(
    searchAnswer('heron', { ...found, hits: [hit] })
      .split('\n')
      .at(-1),
  ).toBe(line)
  expect(searchAnswer('heron', { ...found, hits: [] })).toBe(`Nothing was found for \`heron\` in 200 entries.\n${line}`)
})
