import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { REDACTED_SUMMARY } from '../../src/engine/context/view/summary-item.ts'
import { type EntryDraft, messagesOf } from '../../src/model/types.ts'
import { openSession } from '../../src/session/open-session.ts'
import { assistant, user } from '../support/messages.ts'
import { temporaryStore } from '../support/store.ts'

let temporary: Awaited<ReturnType<typeof temporaryStore>>

beforeEach(async () => {
  temporary = await temporaryStore()
})
afterEach(() => temporary.remove())

const SUMMARY = 'They spoke of word-2, word-3 and word-4.'

/** A model's summary of the entries 2 to 4, with a line of each from the log. */
const compaction: EntryDraft = {
  type: 'compaction',
  from: 2,
  upTo: 4,
  keep: [],
  summary: SUMMARY,
  frame: 'pith',
  parts: [
    { section: 'Goal', from: [], text: SUMMARY, narrative: true },
    ...[2, 3, 4].map((seq) => ({ section: 'Now', from: [seq], text: `- #${seq} never say word-${seq}` })),
  ],
  indexDelta: { constraints: [2, 3, 4].map((seq) => ({ seq, text: `never say word-${seq}` })) },
  messages: 3,
  reason: 'manual',
  rung: 'cold',
  tokensBefore: 100,
  tokensAfter: 50,
}

async function summaryAfterRedactionOf(seq: number): Promise<{ text: string; message: string }> {
  const { store } = temporary
  const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
  const said = [1, 2, 3, 4, 5, 6].map((n) => (n % 2 === 1 ? user(`word-${n}`) : assistant(`word-${n}`)))
  await store.append(id, [...said.map((message) => ({ type: 'message' as const, message })), compaction])
  await openSession(store, id)
  await store.redact(id, [seq])
  const { view, log } = await openSession(store, id)
  expect(JSON.stringify([log, messagesOf(view)])).not.toContain(`word-${seq}`)
  const [item] = view.items.slice().filter(({ kind }) => kind === 'summary')
  return item?.kind === 'summary'
    ? { text: item.text, message: JSON.stringify(item.message) }
    : expect.fail('no summary')
}

describe('a redaction in a session that was compacted', () => {
  it.each([2, 3, 4])(
    'of entry %i of the range 2 to 4 takes the words of the summary, its line and the fact',
    async (seq) => {
      const { text, message } = await summaryAfterRedactionOf(seq)
      expect(text).toBe(REDACTED_SUMMARY)
      for (const other of [2, 3, 4].filter((each) => each !== seq)) expect(message).toContain(`word-${other}`)
    },
  )

  it.each([1, 5])('of entry %i outside of the range 2 to 4 leaves the summary as it is', async (seq) => {
    const { text, message } = await summaryAfterRedactionOf(seq)
    expect(text).toBe(SUMMARY)
    for (const other of [2, 3, 4]) expect(message).toContain(`word-${other}`)
  })
})
