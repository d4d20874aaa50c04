import { expect, it } from 'vitest'
import { logOf, nextEntry } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { encode } from '../../../src/formats/index.ts'
import { decoded, fixedDeps, fixture } from '../fixture.ts'

it('the row of an exported session says where its log begins and ends', () => {
  const session = decoded(fixture('claude-code.jsonl'))
  const row = (entries: typeof session.entries) =>
    JSON.parse(encode({ ...session, startedAt: undefined, entries }, 'pith', fixedDeps()).text.split('\n')[0] ?? '')
  const [first, last] = [session.entries[0], session.entries.at(-1)]
  expect(row(session.entries)).toMatchObject({ createdAt: first?.at, updatedAt: last?.at, lastSeq: last?.seq })
  expect(row([])).toMatchObject({ createdAt: 0, updatedAt: 0, lastSeq: 0 })
})

it('the row of an exported session has the revision of its view', () => {
  const session = decoded(fixture('claude-code.jsonl'))
  const log = [...logOf([{ role: 'user', content: 'a' }])]
  log.push(nextEntry(log, { type: 'squeeze', squeezes: [] }))
  log.push(nextEntry(log, { type: 'message', message: { role: 'user', content: 'b' } }))
  const [row = ''] = encode({ ...session, entries: log }, 'pith', fixedDeps()).text.split('\n')
  expect(viewOf(log).revision).toBe(2)
  expect(JSON.parse(row)).toMatchObject({ revision: 2, lastSeq: 3 })
})
