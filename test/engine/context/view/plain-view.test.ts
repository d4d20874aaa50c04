import fc from 'fast-check'
import { expect, it } from 'vitest'
import { plainView } from '../../../../src/engine/context/view/plain-view.ts'
import { viewOf } from '../../../../src/engine/context/view/view-of.ts'
import { atOnce } from '../../../../src/model/steps.ts'
import type { Entry } from '../../../../src/model/types.ts'

const entry = (seq: number, inputTokens: number): Entry => ({
  type: 'message',
  id: `e${seq}`,
  seq,
  at: seq * 1_000,
  message:
    seq % 2 === 1 ? { role: 'user', content: `question ${seq}` } : { role: 'assistant', content: `answer ${seq}` },
  ...(inputTokens > 0 ? { usage: { inputTokens, outputTokens: 10 }, model: 'acme/large' } : {}),
})

it('the view of a log of messages is the one that a fold gives', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(900), { maxLength: 12 }), (counts) => {
      const log = counts.map((tokens, i) => entry(i + 1, tokens))
      const [plain, folded] = [atOnce(plainView(log)), viewOf(log)]
      expect({ ...plain, items: plain?.items.slice() }).toEqual({ ...folded, items: folded.items.slice() })
    }),
  )
})

it('a log that has to be folded or repaired has no plain view', () => {
  const log = [entry(1, 0), entry(2, 0)]
  const result: Entry = {
    ...{ type: 'message', id: 'e3', seq: 3, at: 0 },
    message: {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: { type: 'text', value: 'a' } }],
    },
  }
  expect(atOnce(plainView([...log, result]))).toBeUndefined()
  expect(atOnce(plainView([...log, { type: 'undo', id: 'e3', seq: 3, at: 0, of: 1 }]))).toBeUndefined()
  expect(atOnce(plainView([...log, { ...entry(3, 0), shown: { head: 1, tail: 1 } } as Entry]))).toBeUndefined()
})
