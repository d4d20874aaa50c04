import { expect, it } from 'vitest'
import { shownText } from '../../../src/study/loss/span-facts.ts'

const first = 'Never touch the file src/legacy.ts, whatever the tests may say about it'
const shown = shownText([`The user said: “${first}” …`, 'Read src/{a,b}.ts.'])

it.each([
  ['all', first],
  ['all', 'NEVER touch\n the file'],
  ['beginning', `${first}, and ask before you delete anything`],
  ['nothing', 'Ask before you delete anything.'],
  ['beginning', first.padEnd(20_001)],
])('of a text it has %s: %s', (much, text) => {
  expect(shown.has(text)).toBe(much)
})

it('it has a name when it has all parts of it', () => {
  expect([shown.hasName('src/a.ts'), shown.hasName('src/b.ts'), shown.hasName('src/c.ts')]).toEqual([true, true, false])
})
