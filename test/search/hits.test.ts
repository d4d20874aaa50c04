import { expect, it } from 'vitest'
import { nothingFound, searchAnswer } from '../../src/search/hits.ts'

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

it.each([
  ['heron', 200, 'Nothing was found for `heron` in 200 entries'],
  ['heron', 1, 'Nothing was found for `heron` in 1 entry'],
  ['', 200, 'There is nothing to search for: write words, "a phrase" or a filter such as role:user'],
  ['""', 200, 'There is nothing to search for: write words, "a phrase" or a filter such as role:user'],
  [
    'heron session:zzzz "role:user"',
    0,
    'Nothing was found for `heron session:zzzz "role:user"`: no entry fits `session:zzzz`. Change it or leave it out',
  ],
  [
    'the of',
    200,
    'Nothing was found for `the of` in 200 entries. Signs and words such as `the` are not indexed: add a word that says more',
  ],
])('a search for %j in %i entries without a hit says why', (text, searched, line) => {
  expect(nothingFound(text, { searched, nearest: [] })).toBe(line)
})
