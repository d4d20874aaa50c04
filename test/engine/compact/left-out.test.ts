import { expect, it } from 'vitest'
import { compact } from '../../../src/engine/compact/compact.ts'
import { leftOutText } from '../../../src/engine/report/outcome.ts'
import { logOf } from '../../../src/engine/view/log.ts'
import type { CompactEvent } from '../../../src/model/compact-event.ts'
import { charactersByFour as estimator } from '../../../src/tokens/estimate/estimator.ts'
import { assistant, call, result, turns, user } from '../../support/messages.ts'

const words = (tokens: number) => 'some words of it\n'.repeat((tokens * 4) / 17)
const model = { contextWindow: 8_000 }

it('the result, its event and the text name the entries and the tokens that did not fit', async () => {
  const events: CompactEvent[] = []
  const log = logOf([...turns(4), user('Read it.'), call('x'), result('x', words(20_000))])
  const onEvent = (event: CompactEvent) => events.push(event)
  const done = await compact({ log, model, estimator, reason: 'threshold', onEvent })
  const leftOut = done.compacted ? done.leftOut : undefined
  expect(leftOut).toMatchObject({ seqs: [11] })
  expect((leftOut?.tokens ?? 0) + done.tokensAfter).toBeGreaterThan(20_000)
  expect(events.at(-1)).toMatchObject({ type: 'done', leftOut })
  expect(JSON.stringify(done.messages)).toMatch(/characters left out, recall #11/)
  expect(leftOutText({ tokens: 14_123, seqs: [11, 12] })).toBe(
    'Not all that is new fits the window: 14,123 tokens of #11, #12 were left out. The model can recall them',
  )
})

it('nothing is said of what was read: that is compacted like everything else', async () => {
  const log = logOf([...turns(4), call('x'), result('x', words(20_000)), assistant('Done.'), user('Go on.')])
  const done = await compact({ log, model, estimator, reason: 'threshold' })
  expect(done.outcome).toBe('compacted')
  expect(done).not.toHaveProperty('leftOut')
})
