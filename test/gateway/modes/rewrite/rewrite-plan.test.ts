import { expect, test } from 'vitest'
import { appended, logOf } from '../../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../../src/engine/context/view/view-of.ts'
import type { PlacedStep } from '../../../../src/gateway/identity/find-place.ts'
import { rewritePlan } from '../../../../src/gateway/modes/rewrite/rewrite-plan.ts'
import { emptyIndex } from '../../../../src/model/facts/log-index.ts'
import type { EntryDraft, Message, SummaryItem } from '../../../../src/model/types.ts'

const call = { toolCallId: 'c1', toolName: 'read' }
const MESSAGES: Message[] = [
  { role: 'user', content: 'Read it.' },
  { role: 'assistant', content: [{ type: 'tool-call', ...call, input: {} }] },
  { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value: 'a page' } }] },
]

const step = (message: Message, at: number): PlacedStep => ({
  value: `${at}`,
  at,
  piece: 0,
  usesTools: at > 0,
  message,
})

test('a record never comes between a call and its result, even if only the result has a place', () => {
  const steps = MESSAGES.map((message, at) => ({ ...step(message, at), ...(at === 2 ? { seq: 3 } : {}) }))
  const record: SummaryItem = {
    kind: 'summary',
    seq: 9,
    place: 0,
    from: 1,
    upTo: 2,
    standsFor: 2,
    message: { role: 'user', content: 'The record.' },
    text: 'The record.',
    written: false,
    frame: 'pith',
    index: emptyIndex,
    pinned: false,
  }
  const [result] = viewOf(logOf(MESSAGES)).items.slice().slice(-1)
  if (result === undefined) throw new Error('the view has the result')
  expect(rewritePlan(steps, [record, result]).records).toEqual([{ before: 1, text: 'The record.' }])
})

test('the text of a shortened result says where its picture is, as a text is all that is sent of it', () => {
  const [asked, called] = MESSAGES as [Message, Message]
  const value = [
    { type: 'text' as const, text: 'a line\n'.repeat(500) },
    { type: 'image-data' as const, data: 'aGVsbG8=', mediaType: 'image/png' },
  ]
  const seen: Message = {
    role: 'tool',
    content: [{ type: 'tool-result', ...call, output: { type: 'content', value } }],
  }
  const messages = [asked, called, seen]
  const squeeze = { target: 3, head: 60, tail: 40, pieces: [{ at: 0, head: 60, tail: 40 }] }
  const { items } = viewOf(appended(logOf(messages), [{ type: 'squeeze', squeezes: [squeeze] }]))
  const steps = messages.map((message, at): PlacedStep => ({ ...step(message, at), seq: at + 1 }))
  const fate = rewritePlan(steps, items.slice()).fates.get(2)
  expect(JSON.stringify([...(fate as ReadonlyMap<number, unknown>).values()])).toMatch(
    /a line.*3\d\d\d characters left out, recall #3.*image.*recall #3/,
  )
})

test('messages that were left out are left out of the request, with a line at their place', () => {
  const messages: Message[] = [
    ...MESSAGES,
    { role: 'assistant', content: 'Done.' },
    { role: 'user', content: 'And now?' },
  ]
  const targets = [{ from: 2, upTo: 3, tokens: 900 }]
  const entry = { type: 'leave-out' as const, targets, requestedBy: 'user' as const, tokensBefore: 2, tokensAfter: 1 }
  const { items } = viewOf(appended(logOf(messages), [entry]))
  const steps = messages.map((message, at): PlacedStep => ({ ...step(message, at), seq: at + 1 }))
  const { records, fates } = rewritePlan(steps, items.slice())
  expect([...fates.values()]).toEqual(['kept', 'left-out', 'left-out', 'kept', 'kept'])
  const text = '[#2–#3 left out by the user: 2 messages, 900 tokens; recall #2-#3 shows them]'
  expect(records).toEqual([{ before: 3, text }])
})

test('a result that the agent has cleared is sent as it is, unless it was masked or redacted in the log', () => {
  const [asked, called] = MESSAGES as [Message, Message]
  const resultOf = (value: string): Message => {
    return { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value } }] }
  }
  const log = logOf([asked, called, resultOf('a secret line\n'.repeat(500))])
  const sent = [asked, called, resultOf('<tool_output_masked>\na secret line')]
  const steps = sent.map((message, at): PlacedStep => ({ ...step(message, at), seq: at + 1 }))
  const fateIn = (...changes: EntryDraft[]) => {
    const { items } = viewOf(appended(log, changes))
    const fate = rewritePlan(steps, items.slice()).fates.get(2)
    return typeof fate === 'object' ? JSON.stringify([...fate.values()]) : fate
  }
  expect(fateIn()).toBe('kept')
  expect(fateIn({ type: 'mask', targets: [3], tokensBefore: 2_000, tokensAfter: 50 })).toContain('recall #3')
  const redacted = fateIn({ type: 'redact', target: 3 })
  expect(redacted).toContain('[redacted by the user]')
  expect(redacted).not.toContain('secret')
})
