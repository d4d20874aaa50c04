import { expect, it } from 'vitest'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { factsIn } from '../../../src/engine/extract/index-delta.ts'
import type { Message } from '../../../src/model/types.ts'
import { assistant, call, result, user } from '../../support/messages.ts'

const factsOf = (...messages: readonly Message[]) => factsIn(viewOf(logOf(messages)).items.slice())

it('words of the agent whose names it used later count them, in words or in calls', () => {
  const { statements } = factsOf(
    user('Make it quick.'),
    assistant('The lease is kept in `src/leases.ts`, and renewLease lasts 60 seconds.'),
    user('And the lock?'),
    assistant('The lock is kept in `src/locks.ts`, and nothing else uses it.'),
    call('a', 'edit', { path: 'src/leases.ts', edits: [{ oldText: 'renewLease()', newText: 'renew()' }] }),
    result('a', 'ok', 'edit'),
  )
  expect(statements?.map(({ seq, times }) => [seq, times])).toEqual([
    [2, 3],
    [4, undefined],
  ])
})

it('a line of output is kept if the agent used a name of it again that nothing else has', () => {
  const output = ['total 9', 'worker-seventeen is at build/agents/w17.sock', 'worker-eighteen is idle'].join('\n')
  const { printed } = factsOf(
    user('Which worker?'),
    call('a', 'bash', { command: 'show workers' }),
    result('a', output, 'bash'),
    call('b', 'edit', { path: 'a.ts', edits: [{ oldText: 'x', newText: 'attach("build/agents/w17.sock")' }] }),
    result('b', 'ok', 'edit'),
  )
  expect(printed?.map(({ seq, text }) => [seq, text])).toContainEqual([
    3,
    'worker-seventeen is at build/agents/w17.sock',
  ])
  expect(JSON.stringify(printed)).not.toContain('eighteen')
})
