import { expect, test } from 'vitest'
import { logOf } from '../../../../src/engine/view/log.ts'
import { viewOf } from '../../../../src/engine/view/view-of.ts'
import type { PlacedStep } from '../../../../src/gateway/identity/placed-steps.ts'
import { rewritePlan } from '../../../../src/gateway/modes/rewrite/rewrite-plan.ts'
import { emptyIndex } from '../../../../src/model/facts/log-index.ts'
import type { Message } from '../../../../src/model/message.ts'
import type { SummaryItem } from '../../../../src/model/view.ts'

const call = { toolCallId: 'c1', toolName: 'read' }
const MESSAGES: Message[] = [
  { role: 'user', content: 'Read it.' },
  { role: 'assistant', content: [{ type: 'tool-call', ...call, input: {} }] },
  { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value: 'a page' } }] },
]

test('a record never stands between a call and its result, also where only the result has a place', () => {
  const steps = MESSAGES.map(
    (message, at): PlacedStep => ({
      value: `${at}`,
      at,
      piece: 0,
      usesTools: at > 0,
      message,
      ...(at === 2 ? { seq: 3 } : {}),
    }),
  )
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
