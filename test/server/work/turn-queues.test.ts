import { getEventListeners } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { TurnQueues } from '../../../src/server/work/work-list.ts'
import { holdForTurn } from '../../../src/session/compaction/hold-lease.ts'
import { openStore } from '../../../src/store/open-store.ts'

async function queues() {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const { id } = await store.createSession({ owner: 'local', workspace: '' })
  return { id, store, turns: new TurnQueues(store, 10_000) }
}

const never = () => new AbortController().signal
const silent = async () => {}

it('turns get their session in the order in which they came', async () => {
  const { id, turns } = await queues()
  const order: string[] = []
  const take = async (holder: string) => {
    const lease = await turns.take(id, { holder, onBusy: silent }, never())
    order.push(holder)
    if (lease.ok) await lease.release()
  }
  await Promise.all([take('one'), take('two'), take('three')])
  expect(order).toEqual(['one', 'two', 'three'])
})

it('every turn that waits learns who is at work', async () => {
  const { id, turns, store } = await queues()
  const first = await holdForTurn(store, id, 'at work', 10_000)
  const waits: string[] = []
  const left = new AbortController()
  const take = (holder: string, signal: AbortSignal) => {
    const onBusy = async (who: string) => {
      waits.push(`${holder} waits for ${who}`)
      if (holder === 'two') left.abort()
    }
    return turns.take(id, { holder, onBusy }, signal)
  }
  const stays = new AbortController()
  const one = take('one', stays.signal)
  const two = take('two', left.signal)
  // A turn that is cancelled while it waits gets no lease and leaves the line.
  expect(await two).toEqual({ ok: false, holder: '' })
  expect(waits.slice(0, 2)).toEqual(['one waits for at work', 'two waits for at work'])
  if (first.ok) await first.release()
  const lease = await one
  expect(lease.ok).toBe(true)
  expect((await store.lease(id))?.holder).toBe('one')
  // A turn looks ten times a second: listeners that stayed would pile up.
  expect(getEventListeners(stays.signal, 'abort')).toEqual([])
  if (lease.ok) await lease.release()
})
