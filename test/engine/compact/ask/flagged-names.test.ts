import { expect, it } from 'vitest'
import type { CompactInput } from '../../../../src/engine/compact/compact.ts'
import { checkNames } from '../../../../src/engine/compact/rungs/rung-model.ts'
import { appended, logOf } from '../../../../src/engine/context/view/log.ts'
import { compaction } from '../../../support/compaction.ts'
import { call, result, turns, user } from '../../../support/messages.ts'
import { prepared } from '../../../support/prepared.ts'

const log = appended(logOf([user('mend src/early.ts'), ...turns(3)]), [compaction({ upTo: 3 })])
const flagged = async (summary: string, more: Partial<CompactInput> = {}) =>
  (await checkNames(prepared({ log, model: { contextWindow: 100_000 }, ...more }), summary)).flagged

it('a name from a message that an earlier compaction replaced is not flagged', async () => {
  expect(await flagged('src/early.ts is mended, src/never.ts is not.')).toEqual(['src/never.ts'])
})

it('a name from the fixed parts, the pending input or the focus is not flagged', async () => {
  const fixed = {
    system: 'You work in /home/ann/shop.',
    instructions: 'Run check_all before a commit.',
    memory: 'The port is 8443.',
    tools: [{ name: 'run_query', description: 'asks db/main.sqlite' }],
  }
  const summary = '/home/ann/shop, check_all, port 8443, `run_query`, db/main.sqlite, src/pending.ts, src/focus.ts'
  const more = { fixed, pending: [user('and src/pending.ts?')], focus: 'src/focus.ts' }
  expect(await flagged(summary, more)).toEqual([])
  expect(await flagged(summary)).toHaveLength(7)
})

it('a name as we cut it off for the summariser is not flagged', async () => {
  const log = logOf([user('go on'), call('1'), result('1', `${'x'.repeat(1_990)} /srv/modules/a.ts`)])
  expect(await flagged('The output ends in `/srv/modu`.', { log })).toEqual([])
  expect(await flagged('The output ends in `/srv/mo`.', { log })).toEqual(['/srv/mo'])
})

it('a file that a folder lists is not flagged when the listing has left the view', async () => {
  const listed = logOf([
    user('go on'),
    call('1', 'bash', { command: 'ls src/deep' }),
    result('1', 'a.ts deep-file.ts'),
    ...turns(3),
  ])
  const log = appended(listed, [compaction({ upTo: 3 })])
  expect(await flagged('src/deep/deep-file.ts, src/deep/never.ts', { log })).toEqual(['src/deep/never.ts'])
})

it('other texts of the session are read only when a name is in doubt', async () => {
  let reads = 0
  const sourceTexts = async () => {
    reads++
    return ['/home/ann/shop', 'src/stored.ts']
  }
  expect(await flagged('It goes on with answer 2.', { sourceTexts })).toEqual([])
  expect(reads).toBe(0)
  expect(await flagged('src/stored.ts in /home/ann/shop, not src/never.ts', { sourceTexts })).toEqual(['src/never.ts'])
  expect(reads).toBe(1)
})

it('a policy that does not verify flags nothing', async () => {
  expect(await flagged('src/never.ts', { policy: { verify: false } })).toEqual([])
})

it('a name that the model has read as it is written is not flagged; a part of a longer path or number is', async () => {
  const state = prepared({ log: [], model: { contextWindow: 100_000 } })
  const summary = 'It changed `src/early.ts` and called `mendOrders`, see #312.'
  const flagged = async (read: string) => (await checkNames(state, summary, { read })).flagged
  expect(await flagged('src/early.ts: mendOrders')).toEqual(['#312'])
  expect(await flagged('lib-src/early.tsx: mendOrder #73125')).toHaveLength(3)
  expect((await checkNames(state, summary, { facts: 'src/early.ts, see #312' })).flagged).toEqual(['mendOrders'])
})
