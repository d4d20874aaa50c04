import { expect, it } from 'vitest'
import { openContext } from '../../../src/engine/context/open-context.ts'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { putBackExcess, putBackRoom } from '../../../src/engine/plan/bounds.ts'
import { charactersByFour } from '../../../src/tokens/estimate/estimator.ts'
import { user } from '../../support/messages.ts'

const log = appended(logOf([user('k'.repeat(4_000)), user('go')]), [{ type: 'pin', target: 1, on: true }])
const fixed = { system: 's'.repeat(2_000) }
const context = openContext(log, { fixed, estimator: charactersByFour })

it('a message that is put back has to fit the limit, and leave the target some room beside what is pinned', () => {
  const room = putBackRoom({ ...context, budget: { ...context.budget, limit: 8_000, target: 3_000 } }, 5_000)
  expect(putBackExcess(1_000, room)).toBeUndefined()
  expect(putBackExcess(3_500, room)).toEqual({ over: 'limit', tokens: 8_500, most: 8_000 })
  expect(putBackExcess(2_000, room)).toMatchObject({ over: 'target', most: 3_000 })
})

it('without a window everything fits', () => {
  expect(putBackExcess(1_000_000, putBackRoom(context, 5_000))).toBeUndefined()
})
