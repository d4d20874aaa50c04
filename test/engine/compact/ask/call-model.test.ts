import { describe, expect, it } from 'vitest'
import { compact } from '../../../../src/engine/compact/compact.ts'
import { logOf } from '../../../../src/engine/context/view/log.ts'
import type { ModelChunk } from '../../../../src/model/types.ts'
import { modelSaying, turns } from '../../../support/messages.ts'
import { summarised } from '../../../support/summarised.ts'

const log = logOf(turns(40, 400))
const model = { contextWindow: 10_000 }
const SUMMARY = '## Goal\nTo get on.'

describe('a call of a model', () => {
  it('whose signal cannot be made has failed, and the next rung is tried', async () => {
    const summariser = modelSaying(SUMMARY)
    const callSignal = () => AbortSignal.timeout(-1)
    const done = await compact({ log, model, summaryModels: [summariser], callSignal })
    expect(done).toMatchObject({ outcome: 'compacted', rung: 'digest' })
    expect(done.entries[0]).toMatchObject({ type: 'attempt', outcome: 'failed' })
    expect(summariser.requests).toEqual([])
  })

  it('takes nothing from a piece of text without text', async () => {
    const wrong = { type: 'text' } as ModelChunk
    const texts: unknown[] = []
    const summaryModels = [modelSaying(SUMMARY, wrong, ' And more.')]
    const done = await compact({ log, model, summaryModels, onText: (text) => texts.push(text) })
    expect(summarised(done).summary).toBe(`${SUMMARY} And more.`)
    expect(texts).toEqual([SUMMARY, ' And more.'])
  })

  it('that was made several times and failed says how often', async () => {
    const again = { type: 'retry', inMs: 1, reason: 'HTTP 500' } as const
    const summaryModels = [modelSaying(again, again, { type: 'error', error: new Error('HTTP 500') })]
    const done = await compact({ log, model, summaryModels })
    expect(done).toMatchObject({ rung: 'digest', refusal: 'HTTP 500, 3 attempts' })
  })

  it.each([
    ['a promise', async () => SUMMARY],
    ['a value of type string', () => SUMMARY],
    ['a value of type undefined', () => undefined],
  ])('whose stream gives %s is refused in words that say what to write', async (given, stream) => {
    const summaryModels = [{ name: 'my/model', stream: stream as never }]
    const done = await compact({ log, model, summaryModels })
    const refusal = `stream gave ${given}, not an async iterable of text: write async function* and yield the text`
    expect(done).toMatchObject({ rung: 'digest', refusal })
  })
})
