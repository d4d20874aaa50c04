import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type CompactInput, compact } from '../../../src/engine/compact/compact.ts'
import { logOf } from '../../../src/engine/context/view/log.ts'
import type { SummaryModel } from '../../../src/model/types.ts'
import { call, result, turns } from '../../support/messages.ts'

const input = { log: logOf(turns(300, 600)), model: { contextWindow: 40_000 } }
const model: SummaryModel = {
  name: 'm',
  window: 1_000_000,
  async *stream() {
    yield 'The summary names `src/nowhere.ts`, which has to be looked up in all of the session. '.repeat(20)
  },
}
const kinds: readonly (readonly [string, Partial<CompactInput>])[] = [
  ['digest', {}],
  ['summary of a model', { summaryModels: [model] }],
  ['digest after a model that fails', { summaryModels: [{ ...model, stream: failing }] }],
]

async function* failing() {
  yield 'The summary of'
  throw new Error('overloaded')
}

describe.each(kinds)('a %s', (_, more) => {
  it('lets the rest of the process run again and again, and is the same as without pauses', async () => {
    let turnsOfTheLoop = 0
    let isOver = false
    const others = (async () => {
      for (; !isOver; turnsOfTheLoop++) await setImmediate()
    })()
    const paused = await compact({ ...input, ...more, pause: setImmediate })
    isOver = true
    await others
    expect(turnsOfTheLoop).toBeGreaterThan(50)
    expect(paused.compacted).toBe(true)
    expect(paused.messages).toEqual((await compact({ ...input, ...more })).messages)
  })

  it('can be cancelled in any pause, and leaves the context untouched', async () => {
    for (const at of [1, 20, 60]) {
      const stop = new AbortController()
      let pauses = 0
      const pause = async () => {
        if (++pauses === at) stop.abort()
      }
      const made = await compact({ ...input, ...more, pause, signal: stop.signal })
      expect(made.outcome).toBe('cancelled')
      expect(made.messages).toEqual(input.log.flatMap((entry) => (entry.type === 'message' ? [entry.message] : [])))
      expect(pauses).toBe(at)
    }
  })
})

it('choosing the results to mask pauses too, also if masking them is not enough', async () => {
  const log = logOf(Array.from({ length: 300 }, (_, i) => [call(`c${i}`), result(`c${i}`)]).flat())
  const pausesOf = new Map<string, number>()
  let rung = ''
  const pause = () => {
    pausesOf.set(rung, (pausesOf.get(rung) ?? 0) + 1)
    return undefined
  }
  await compact({
    log,
    model: { contextWindow: 4_000 },
    reason: 'threshold',
    pause,
    onEvent: (event) => {
      if (event.type === 'rung') rung = event.rung
    },
  })
  expect([...pausesOf.keys()]).toEqual(expect.arrayContaining(['mask', 'digest']))
  expect(pausesOf.get('mask')).toBeGreaterThan(300)
})
