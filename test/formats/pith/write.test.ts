import { expect, it } from 'vitest'
import { encode } from '../../../src/formats/index.ts'
import { decoded, fixedDeps, fixture } from '../fixture.ts'

it('the row of an exported session tells where its log begins and ends', () => {
  const session = decoded(fixture('claude-code.jsonl'))
  const row = (entries: typeof session.entries) =>
    JSON.parse(encode({ ...session, startedAt: undefined, entries }, 'pith', fixedDeps()).text.split('\n')[0] ?? '')
  const [first, last] = [session.entries[0], session.entries.at(-1)]
  expect(row(session.entries)).toMatchObject({ createdAt: first?.at, updatedAt: last?.at, lastSeq: last?.seq })
  expect(row([])).toMatchObject({ createdAt: 0, updatedAt: 0, lastSeq: 0 })
})
