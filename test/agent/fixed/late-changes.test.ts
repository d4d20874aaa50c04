import { expect, it } from 'vitest'
import { lateChanges } from '../../../src/agent/fixed/fixed-parts.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import type { Entry } from '../../../src/model/types.ts'
import { assistant, user } from '../../support/messages.ts'

const usage = { inputTokens: 100, outputTokens: 10 }
const log: Entry[] = [
  { id: 'a', seq: 1, at: 0, type: 'message', message: user('one') },
  { id: 'b', seq: 2, at: 0, type: 'message', message: assistant('two'), model: 'local/a', usage },
  { id: 'c', seq: 3, at: 0, type: 'message', message: user('three') },
]
const changes = [1, 2, 3].map((after) => ({ after, text: `after ${after}` }))
const lateTexts = (of: readonly Entry[], model: string) =>
  lateChanges(viewOf(of), changes, model).map(({ content }) => content)

it('changes of files that the last count of the model does not contain are counted beside it', () => {
  expect(lateTexts(log, 'local/a')).toEqual(['after 3'])
})

it('the count of another model contains none of them', () => {
  expect(lateTexts(log, 'local/b')).toEqual(['after 1', 'after 2', 'after 3'])
  expect(lateTexts(log.slice(0, 1), 'local/a')).toEqual(['after 1', 'after 2', 'after 3'])
})
