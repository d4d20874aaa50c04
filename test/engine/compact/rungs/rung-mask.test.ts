import { expect, it } from 'vitest'
import { compact } from '../../../../src/engine/compact/compact.ts'
import type { CompactInput } from '../../../../src/engine/compact/compact-state.ts'
import { maskRung } from '../../../../src/engine/compact/ladder.ts'
import { logOf } from '../../../../src/engine/context/view/log.ts'
import { atOnce } from '../../../../src/model/steps.ts'
import { outputText, resultsOf } from '../../../../src/model/types.ts'
import { charactersByFour } from '../../../../src/tokens/estimate/estimator.ts'
import { call, result, turns, user } from '../../../support/messages.ts'
import { prepared } from '../../../support/prepared.ts'
import { unreadAfter } from '../../../support/within-bounds.ts'

const reads = Array.from({ length: 60 }, (_, i) => [call(`r${i}`), result(`r${i}`, 'word'.repeat(150))]).flat()
const input: CompactInput = {
  log: logOf([user('go'), ...reads]),
  estimator: charactersByFour,
  reason: 'threshold',
  policy: { tokenLimit: 8_000, rungs: ['mask'] },
}

it('output is masked down to the target of a limit in tokens, whatever model it is', async () => {
  const done = await compact(input)
  expect(done).toMatchObject({ compacted: true, rung: 'mask', messagesRemoved: 0 })
  expect(done.tokensAfter - unreadAfter(done, input)).toBeLessThanOrEqual(5_000)
})

it('all output before the tail is masked in one batch, even if less would do', async () => {
  const done = await compact({ ...input, policy: { ...input.policy, keepTokens: 1_600 } })
  const kept = done.view.items
    .slice()
    .flatMap(({ message }) => resultsOf(message).map(({ output }) => outputText(output)))
  expect(done).toMatchObject({ rung: 'mask' })
  // Ten steps of some 155 tokens are the tail, and the last result is unread.
  expect(kept.filter((text) => text.startsWith('word'))).toHaveLength(11)
})

it('the entry says how many characters the names and the lines in its handles may have', async () => {
  const maskOf = async (nameTokens: number) => {
    const done = await compact({ ...input, policy: { ...input.policy, nameTokens, nameMaxPercent: 100 } })
    return done.entries[0]
  }
  expect(await maskOf(100)).toMatchObject({ type: 'mask', nameCharacters: 200, lineCharacters: 200 })
  expect(await maskOf(0)).not.toHaveProperty('nameCharacters')
})

it('nothing is masked if the estimate is under the target, or there is none', () => {
  const refusal = (more: Partial<CompactInput>) => {
    const state = prepared({ ...input, reason: 'manual', ...more })
    return atOnce(maskRung(state))
  }
  const under = { ok: false, refusal: 'not-smaller', reason: 'the estimate is under the target already' }
  expect(refusal({ log: logOf(turns(10, 400)) })).toEqual(under)
  expect(refusal({ policy: { rungs: ['mask'] } })).toEqual(under)
})

it('the reason is given if masking is not enough', async () => {
  const reasons: string[] = []
  await compact({
    ...input,
    log: logOf(turns(60, 800)),
    onEvent: (event) => event.type === 'refused' && reasons.push(event.reason),
  })
  expect(reasons).toEqual([expect.stringMatching(/^masking all old tool output would free 0 of [\d,]+ tokens$/)])
})
