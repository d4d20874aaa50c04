import { expect, it } from 'vitest'
import { logOf } from '../../src/engine/context/view/log.ts'
import type { Message } from '../../src/model/types.ts'
import { nothingFound, searchAnswer, searchLog } from '../../src/search/hits.ts'
import { assistant, call, user } from '../support/messages.ts'

const hitsOf = async (messages: readonly Message[], typed: string) =>
  (await searchLog(logOf(messages), typed, { limit: 20 })).hits

/** Between two messages, so that they share no exchange. */
const between = Array.from({ length: 4 }, () => assistant('Well.'))
const otherLines = 'another line\n'.repeat(5)

it('a hit has all phrases of a search, not only one of them', async () => {
  const messages = [
    user('retry twice, but never wait'),
    ...between,
    user('retry twice and wait, never mind'),
    ...between,
    user('never wait, retry once or twice'),
  ]
  expect((await hitsOf(messages, '"retry twice" "never wait"')).map(({ seq }) => seq)).toEqual([1])
})

it('a hit shows the lines that have the phrase, not those that have its words apart', async () => {
  const text = `Each upload\nhas its limit.\n${otherLines}Raise the Upload limit!\n${otherLines}`
  const [hit] = await hitsOf([user(text)], '"upload LIMIT"')
  expect(hit?.snippet).toContain('Raise the Upload limit!')
})

it('of two entries with the same words the one that has them close together comes first', async () => {
  const messages = [
    user(`the heron and the kestrel\n${otherLines}and\nthe\n`),
    ...between,
    user(`the heron\n${otherLines}and the kestrel and the\n`),
  ]
  expect((await hitsOf(messages, 'heron kestrel')).map(({ seq }) => seq)).toEqual([1, 6])
})

it('is:edit finds only calls that change a file', async () => {
  const messages = [
    call('a', 'read', { path: 'heron.ts' }),
    ...between,
    call('b', 'web_search', { query: 'heron' }),
    ...between,
    call('c', 'edit', { path: 'heron.ts', oldText: 'x', newText: 'heron' }),
  ]
  expect((await hitsOf(messages, 'heron')).map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual([1, 6, 11])
  expect((await hitsOf(messages, 'heron is:edit')).map(({ seq }) => seq)).toEqual([11])
})

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
