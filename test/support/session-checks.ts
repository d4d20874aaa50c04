import { expect } from 'vitest'
import { requestOf } from '../../src/engine/context/view/request.ts'
import { validate } from '../../src/engine/context/view/validate.ts'
import { viewOf } from '../../src/engine/context/view/view-of.ts'
import { type Entry, jsonText } from '../../src/model/types.ts'
import { openSession } from '../../src/session/index.ts'
import type { Store } from '../../src/store/store.ts'
import { type Ack, hashOf } from './session-script.ts'

/** All entries of a session, after it was seen that they are whole, in one order, and that its view is their fold. */
export async function wholeLog(store: Store, session: string): Promise<readonly Entry[]> {
  let open = await openSession(store, session)
  let { entries, bad } = await store.entries(session)
  // A database may still be at the last statement of a process that was killed: what it appends comes between two reads.
  while (open.session.lastSeq < entries.length) {
    open = await openSession(store, session)
    ;({ entries, bad } = await store.entries(session))
  }
  expect(bad).toEqual([])
  expect(open.bad).toEqual([])
  expect(entries.map((entry) => entry.seq)).toEqual(entries.map((_, i) => i + 1))
  expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length)
  expect(open.session.lastSeq).toBe(entries.length)
  const fold = viewOf(entries)
  expect(open.view.items.slice()).toEqual(fold.items.slice())
  expect(open.session.revision).toBe(fold.revision)
  expect(validate(requestOf(open.view).messages, { pending: 'allowed' })).toEqual([])
  return entries
}

/** Everything that the store has acknowledged is there as it was. */
export function expectAcknowledged(entries: readonly Entry[], acks: readonly Ack[]): void {
  const stored = new Map(entries.map((entry) => [entry.seq, entry]))
  const lost = acks.filter(({ seq, id, hash }) => {
    const entry = stored.get(seq)
    return entry === undefined || entry.id !== id || hashOf(entry) !== hash
  })
  expect(lost).toEqual([])
}

/** The messages that are in the log more than once, by the tag that `session-script.ts` gave them. */
export function doubledMessages(entries: readonly Entry[]): string[] {
  const counts = new Map<string, number>()
  for (const entry of entries) {
    if (entry.type !== 'message') continue
    const tag = `${entry.message.role} ${/<[^<>]+>/.exec(jsonText(entry.message.content))?.[0] ?? ''}`
    counts.set(tag, (counts.get(tag) ?? 0) + 1)
  }
  return [...counts].filter(([, count]) => count > 1).map(([tag]) => tag)
}
