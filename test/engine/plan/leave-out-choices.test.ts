import { expect, it } from 'vitest'
import { openContext } from '../../../src/engine/context/open-context.ts'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { leaveOutPlan } from '../../../src/engine/plan/leave-out.ts'
import { leaveOutChoices } from '../../../src/engine/plan/leave-out-choices.ts'
import { leaveOutText } from '../../../src/engine/report/leave-out-text.ts'
import { assistant, call, result, user } from '../../support/messages.ts'

const LONG = 'one more line of output '.repeat(300)
const messages = [
  user('Look at it.'),
  call('a', 'read', { path: 'src/a.ts' }),
  result('a', LONG, 'read'),
  call('b', 'read', { path: 'src/a.ts' }),
  result('b', LONG, 'read'),
  assistant('I did.'),
  user('And now?'),
  assistant('Nothing.'),
]

it('the largest parts come first, each with the words that leave it out, and small ones are not listed', () => {
  const choices = leaveOutChoices(openContext(logOf(messages)), { requestedBy: 'user' }, 10)
  expect(choices.map(({ select }) => select)).toEqual(['turn:#1', 'tool:read', 'file:src/a.ts', '#3', '#5'])
  expect(choices[1]).toMatchObject({ name: 'results of read', parts: 2 })
  expect(choices[3]).toMatchObject({ name: 'read src/a.ts', parts: 1 })
})

it('what has to stay is not offered, however large it is', () => {
  const selects = (list: typeof messages) =>
    leaveOutChoices(openContext(logOf(list)), { requestedBy: 'user' }, 10).map(({ select }) => select)
  expect(selects([...messages, user(LONG)])).not.toContain('#9')
  expect(selects([...messages, user(LONG), assistant('Done.'), user('And then?')])).toContain('#9')
})

it('a plan says in one line what it frees and what the broken cache costs', () => {
  const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }
  const context = openContext(logOf(messages), { model: { contextWindow: 200_000, prices } })
  const plan = leaveOutPlan(context, { kind: 'range', from: 2, upTo: 3 }, { requestedBy: 'user' })
  if (!plan.ok) throw new Error(plan.reason)
  expect(leaveOutText(plan)).toMatch(
    /^#2–#3 left out by the user\. The context: [\d,]+ → [\d,]+ tokens\. Breaks the cache from #2 on: about \$0\.\d+ once, saves \$0\.\d+ a request\.$/,
  )
  const cold = leaveOutPlan(context, { kind: 'tool', tool: 'read' }, { requestedBy: 'user', cacheCold: true })
  expect(cold.ok && leaveOutText(cold)).toContain('The cache is cold, so nothing is lost; it saves $0.')
})
