import { expect, it } from 'vitest'
import { InFlight } from '../../../src/server/work/work-list.ts'

it('a repetition waits for the first answer; a later one, another key or none acts again', async () => {
  const inFlight = new InFlight()
  const gate = Promise.withResolvers<void>()
  let acts = 0
  const act = async () => {
    acts++
    await gate.promise
    return acts
  }
  const asked = [inFlight.once('a', act), inFlight.once('a', act), inFlight.once('b', act)]
  const keyless = [inFlight.once(undefined, act), inFlight.once(undefined, act)]
  expect(acts).toBe(4)
  gate.resolve()
  await Promise.all([...asked, ...keyless])
  expect(await inFlight.once('a', act)).toBe(5)
})

it('a failure reaches all who wait, and the next one tries again', async () => {
  const inFlight = new InFlight()
  const fails = () => inFlight.once('a', () => Promise.reject(new Error('no')))
  const both = [fails(), inFlight.once('a', async () => 'not run')]
  for (const each of both) await expect(each).rejects.toThrow('no')
  expect(await inFlight.once('a', async () => 'run')).toBe('run')
})
