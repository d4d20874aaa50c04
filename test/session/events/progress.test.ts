import { expect, it } from 'vitest'
import { emitProgress, onProgress, type Progress } from '../../../src/session/events/session-events.ts'
import type { Store } from '../../../src/store/store.ts'

const progress = (session: string): Progress => ({ event: { session } as Progress['event'], after: 1 })

it('followers of a session on a store get its progress until they stop', () => {
  const [store, other] = [{} as Store, {} as Store]
  const heard: string[] = []
  const stops = [
    onProgress(store, 'a', () => heard.push('first')),
    onProgress(store, 'a', () => heard.push('second')),
    onProgress(store, 'b', () => heard.push('of b')),
    onProgress(other, 'a', () => heard.push('elsewhere')),
  ]
  const heardAfter = (of: Store, session: string) => {
    heard.length = 0
    emitProgress(of, progress(session))
    return [...heard]
  }
  expect(heardAfter(store, 'a')).toEqual(['first', 'second'])
  expect(heardAfter(store, 'b')).toEqual(['of b'])
  expect(heardAfter(other, 'a')).toEqual(['elsewhere'])
  expect(heardAfter(other, 'b')).toEqual([])
  expect(heardAfter({} as Store, 'a')).toEqual([])
  stops[0]?.()
  expect(heardAfter(store, 'a')).toEqual(['second'])
  stops[1]?.()
  expect(heardAfter(store, 'a')).toEqual([])
  onProgress(store, 'a', () => heard.push('later'))
  stops[1]?.()
  expect(heardAfter(store, 'a')).toEqual(['later'])
})
