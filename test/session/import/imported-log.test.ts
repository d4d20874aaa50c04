import { expect, it } from 'vitest'
import { statusOf } from '../../../src/engine/context/open-context.ts'
import { callsOf, type Entry, type Message } from '../../../src/model/types.ts'
import { registryOf } from '../../../src/models/registry.ts'
import { importedLog, withLessons, withoutGaps } from '../../../src/session/import/import-session.ts'
import { decoded, fixture } from '../../formats/fixture.ts'
import { compaction } from '../../store/contract/drafts.ts'
import { assistant, call, result, user } from '../../support/messages.ts'

const entry = (seq: number, more: object): Entry => ({ id: `e${seq}`, seq, at: seq, ...more }) as Entry
const said = (seq: number) => entry(seq, { type: 'message', message: user(`number ${seq}`) })

it('a compaction of another agent is stored with what was learned before it, one of ours as it is', () => {
  const usage = { inputTokens: 500, outputTokens: 20 }
  const answer = entry(2, { type: 'message', message: assistant('yes'), model: 'a/b', usage })
  const theirs = entry(3, compaction({ upTo: 2 }))
  const log = withLessons([said(1), answer, theirs])
  expect(log.slice(0, 2)).toEqual([said(1), answer])
  expect(log[2]).toMatchObject({ ...theirs, learned: expect.anything() })
  const { learned } = log[2] as Extract<Entry, { type: 'compaction' }>
  const ours = entry(3, compaction({ upTo: 2, learned }))
  expect(withLessons([said(1), answer, ours])[2]).toBe(ours)
})

it('gaps are filled with settings that set nothing, so that each entry keeps its seq', () => {
  expect(withoutGaps([said(1), said(4)])).toEqual([
    said(1),
    { id: 'e2', seq: 2, at: 4, type: 'settings' },
    { id: 'e3', seq: 3, at: 4, type: 'settings' },
    said(4),
  ])
  expect(withoutGaps([said(7)], 5).map(({ seq }) => seq)).toEqual([6, 7])
  expect(withoutGaps([said(6)], 5)).toEqual([said(6)])
})

it('the log of another agent’s session ends with its repairs and its origin, in its place and time', () => {
  const session = decoded(fixture('codex.jsonl'))
  const known = { registry: registryOf([]), own: [] }
  const log = importedLog(
    { ...session, entries: [said(1), entry(2, { type: 'message', message: result('lost') })] },
    known,
  )
  expect(log.slice(2)).toMatchObject([
    { id: 'e3', seq: 3, at: 2, type: 'repair' },
    { id: 'e4', seq: 4, at: 2, type: 'settings', origin: { agent: session.agent } },
  ])
  expect(importedLog({ ...session, entries: [] }, known)).toMatchObject([{ id: 'e1', seq: 1, at: 0, type: 'settings' }])
  expect(importedLog({ ...session, format: 'pith', entries: [said(1)] }, known)).toEqual([said(1)])
})

it('a session that was published with one id for all calls is repaired, and keeps the provider’s count', () => {
  const message = (seq: number, message: Message, inputTokens = 0) =>
    entry(seq, { type: 'message', message, ...(inputTokens > 0 ? { usage: { inputTokens, outputTokens: 20 } } : {}) })
  const twice: Message = { role: 'assistant', content: [...callsOf(call('REDACTED')), ...callsOf(call('REDACTED'))] }
  const results = [message(3, result('REDACTED')), message(4, result('REDACTED'))]
  const entries = [said(1), message(2, twice, 20_000), ...results, message(5, assistant('Both are read.'), 21_000)]
  const log = importedLog({ ...decoded(fixture('opencode.json')), entries }, { registry: registryOf([]), own: [] })
  expect(log.some(({ type }) => type === 'repair')).toBe(true)
  expect(statusOf(log)).toMatchObject({ source: 'provider', tokens: 21_020 })
})

it('a call at the end that still waits for its result is left as it is', () => {
  const session = decoded(fixture('codex.jsonl'))
  const waiting = [said(1), entry(2, { type: 'message', message: call('open') })]
  const log = importedLog({ ...session, format: 'pith', entries: waiting }, { registry: registryOf([]), own: [] })
  expect(log).toEqual(waiting)
})
