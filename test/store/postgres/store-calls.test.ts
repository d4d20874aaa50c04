import { expect, it } from 'vitest'
import { StoreCalls } from '../../../src/store/postgres/open-postgres.ts'

it('a call gives what it comes to, or fails as it does', async () => {
  const calls = new StoreCalls()
  expect(await calls.run(async () => 1)).toBe(1)
  await expect(calls.run(() => Promise.reject(new Error('no such table')))).rejects.toThrow('no such table')
})

it('closing waits for the calls that run, those that fail included', async () => {
  const calls = new StoreCalls()
  const [one, other] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  const results = Promise.allSettled([one, other].map(({ promise }) => calls.run(() => promise)))
  const order: string[] = []
  const closed = calls.close().then(() => order.push('closed'))
  one.reject(new Error('broken'))
  await one.promise.catch(() => order.push('failed'))
  other.resolve('done')
  order.push(await other.promise)
  await closed
  expect(order).toEqual(['failed', 'done', 'closed'])
  expect(await results).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: 'done' }])
})

it('a store that is closed says so, and does nothing', async () => {
  const calls = new StoreCalls()
  await calls.close()
  const done: string[] = []
  await expect(calls.run(async () => done.push('late'))).rejects.toThrow('The store is closed')
  expect(done).toEqual([])
})
