import { expect, it } from 'vitest'
import { EVENTS, SESSION_EVENTS } from '../../../../src/contract/shapes/wire-events.ts'
import { parseEntry } from '../../../../src/model/entry.ts'
import { wireEvent } from '../../../../src/server/routes/events/event-handlers.ts'
import { eventOf } from '../../../../src/session/events/event-types.ts'
import { everyDraft } from '../../../store/contract/drafts.ts'

it('every entry of a log becomes an event of the contract, in its shape', () => {
  for (const [i, draft] of everyDraft.entries()) {
    if (draft.type === 'message') continue
    const entry = parseEntry({ ...draft, id: `e${i}`, seq: i + 1, at: 1 })
    const { event, data, id } = wireEvent(eventOf('s', entry))
    const shapes: Readonly<Record<string, { parse(value: unknown): unknown }>> = SESSION_EVENTS
    expect(Object.keys(shapes), draft.type).toContain(event)
    expect(() => shapes[event]?.parse(data), draft.type).not.toThrow()
    expect(id).toBe(entry.seq)
  }
})

it('an answer that came to nothing has one name and one shape in every stream', () => {
  const draft = everyDraft.find(({ type }) => type === 'void')
  const entry = parseEntry({ ...draft, id: 'e', seq: 1, at: 1 })
  expect(wireEvent(eventOf('s', entry)).event).toBe('answer.void')
  expect(EVENTS['answer.void']).toBe(SESSION_EVENTS['answer.void'])
})
