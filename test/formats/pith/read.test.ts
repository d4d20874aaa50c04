import { expect, it } from 'vitest'
import { decoded, fixture } from '../fixture.ts'

it('our own export comes back entry by entry', () => {
  const lines = fixture('pith.jsonl').trimEnd().split('\n')
  expect(decoded(fixture('pith.jsonl')).entries).toEqual(lines.slice(1).map((line) => JSON.parse(line)))
})

it('an export of an earlier version is read without the fields that are gone', () => {
  const users = [{ seq: 1, text: 'Fix it.' }]
  const made = { from: 0, upTo: 1, keep: [], summary: '', frame: 'pith', messages: 1, indexDelta: { users } }
  const sizes = { reason: 'manual', rung: 'digest', tokensBefore: 2, tokensAfter: 1 }
  const gone = { indexTokens: 1, userTokens: 1, nameTokens: 1, factRules: 2 }
  const lines = [
    { type: 'session', id: 's', owner: 'local', workspace: '/w', createdAt: 0, updatedAt: 0, lastSeq: 2, revision: 2 },
    { type: 'message', id: 'e1', seq: 1, at: 0, message: { role: 'user', content: 'Fix it.' } },
    { type: 'compaction', id: 'e2', seq: 2, at: 0, ...made, ...sizes, ...gone },
  ]
  const { entries } = decoded(lines.map((line) => JSON.stringify(line)).join('\n'))
  expect(entries[1]).toEqual({ type: 'compaction', id: 'e2', seq: 2, at: 0, ...made, ...sizes })
})
