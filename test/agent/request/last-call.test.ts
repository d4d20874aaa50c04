import { expect, it } from 'vitest'
import type { Agent } from '../../../src/agent/agent.ts'
import { lastCallOf } from '../../../src/agent/open/open-agent.ts'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import type { Entry } from '../../../src/model/types.ts'
import { assistant, user } from '../../support/messages.ts'

const [asked, answered, next] = logOf([user('one'), assistant('two'), user('three')]) as [Entry, Entry, Entry]
const counted = { ...answered, at: 77, model: 'a/b', usage: { inputTokens: 500, outputTokens: 20 } } as Entry

function lastCallIn(log: readonly Entry[], held: readonly Entry[] = log) {
  const live = { view: viewOf(log), log: held }
  const agent = { live, model: { name: 'a/b' }, info: {}, deps: { fixed: { changes: [] } } }
  return lastCallOf(agent as unknown as Agent)
}

it('the last request of a log is the one before its last counted answer', () => {
  expect(lastCallIn([asked, counted])).toEqual({ at: 77, sentMessages: 1 })
  expect(lastCallIn([asked, counted, next])).toEqual({ at: 77, sentMessages: 1 })
})

it('the last request is not known if nothing was counted, another model counted, or the answer is not loaded', () => {
  expect(lastCallIn([asked])).toBeUndefined()
  expect(lastCallIn([asked, answered])).toBeUndefined()
  expect(lastCallIn([asked, { ...counted, model: 'c/d' } as Entry])).toBeUndefined()
  expect(lastCallIn([asked, counted], [asked])).toBeUndefined()
  expect(lastCallIn([asked, counted], [asked, answered])).toBeUndefined()
})
