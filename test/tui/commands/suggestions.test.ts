import { expect, it } from 'vitest'
import { suggestions } from '../../../src/tui/commands/index.ts'

const provider = suggestions({
  commands: () => [],
  files: async (query) => ['two words.txt', 'one.txt'].filter((path) => path.includes(query)),
  isAllowed: () => true,
})
const options = { signal: new AbortController().signal, force: false }

it.each(['see @two', 'see @"two', 'see @"two wo'])('%s completes a name with a space in quotes', async (typed) => {
  const found = await provider.getSuggestions([typed], 0, typed.length, options)
  expect(found?.items.map(({ value }) => value)).toEqual(['@"two words.txt"'])
  const [item] = found?.items ?? []
  if (found === null || item === undefined) throw new Error('nothing found')
  const { lines } = provider.applyCompletion([typed], 0, typed.length, item, found.prefix)
  expect(lines).toEqual(['see @"two words.txt" '])
})

it('a name without a space has no quotes, and after a closed quote nothing is completed', async () => {
  expect((await provider.getSuggestions(['@one'], 0, 4, options))?.items[0]?.value).toBe('@one.txt')
  const closed = '@"two words.txt" '
  expect(await provider.getSuggestions([closed], 0, closed.length, options)).toBeNull()
})
