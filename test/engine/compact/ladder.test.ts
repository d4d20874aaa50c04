import { describe, expect, it } from 'vitest'
import { type CompactInput, compact } from '../../../src/engine/compact/compact.ts'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { promptsOf } from '../../../src/engine/record/prompts/prompts-of.ts'
import type { CompactEvent } from '../../../src/model/compact-result.ts'
import type { ModelChunk, WarmModel } from '../../../src/model/types.ts'
import { charactersByFour } from '../../../src/tokens/estimate/estimator.ts'
import { modelSaying, turns } from '../../support/messages.ts'

const SUMMARY = '## Goal\nTo answer each question that was asked, one after the other, until none is left.'
const log = logOf(turns(40, 400))

function warmSaying(...chunks: readonly ModelChunk[]): WarmModel & { directives: string[] } {
  const directives: string[] = []
  return {
    name: 'test/warm',
    directives,
    async *stream(directive) {
      directives.push(directive)
      yield* chunks
    },
  }
}

/** The result, and each rung that was tried, with the reason for its refusal. */
async function climbed(more: Partial<CompactInput>) {
  const steps: string[] = []
  const onEvent = (event: CompactEvent) => {
    if (event.type === 'rung') steps.push(event.model === undefined ? event.rung : `${event.rung} ${event.model}`)
    if (event.type === 'refused') steps.push(`refused: ${event.reason}`)
  }
  const input = { log, estimator: charactersByFour, model: { contextWindow: 10_000 }, onEvent }
  return { ...(await compact({ ...input, ...more })), steps }
}

describe('the ladder', () => {
  it('asks the model that has the conversation in its cache first, with one directive', async () => {
    const warm = warmSaying(SUMMARY)
    const cold = modelSaying(SUMMARY)
    const done = await climbed({ warm, summaryModels: [cold], focus: 'the tests' })
    expect(done).toMatchObject({ compacted: true, rung: 'warm', model: 'test/warm', summary: SUMMARY })
    expect(done.entries).toMatchObject([{ type: 'compaction', rung: 'warm', model: 'test/warm' }])
    expect(warm.directives).toEqual([expect.stringContaining(promptsOf('pith').focus('the tests'))])
    expect(cold.requests).toEqual([])
  })

  it('tries one rung after the other, and says why each was refused', async () => {
    const done = await climbed({
      reason: 'threshold',
      warm: warmSaying({ type: 'tool-call', name: 'bash' }),
      summaryModels: [{ ...modelSaying(''), name: 'test/cheap' }, modelSaying('<analysis>hm</analysis>')],
    })
    expect(done.steps).toEqual([
      'mask',
      expect.stringMatching(/^refused: masking/),
      'warm test/warm',
      expect.stringMatching(/^refused: the model called the tool bash/),
      'cold test/cheap',
      expect.stringMatching(/^refused: .*empty/),
      'cold test/model',
      expect.stringMatching(/^refused: .*only its analysis/),
      'digest',
    ])
    expect(done).toMatchObject({ compacted: true, rung: 'digest' })
    // All models together failed once.
    expect(done.entries).toMatchObject([
      { type: 'attempt', outcome: 'failed', reason: expect.stringContaining('only its analysis') },
      { type: 'compaction', rung: 'digest' },
    ])
    expect(done).not.toHaveProperty('model')
  })

  it('asks the warm rung without the facts, or not at all, if the window has no room for the directive', async () => {
    const asked = async (contextWindow: number, focus: string) => {
      const warm = warmSaying(SUMMARY)
      await climbed({ warm, model: { contextWindow }, focus, reason: 'overflow' })
      return warm.directives.map((directive) => directive.includes('<facts-'))
    }
    expect(await asked(20_000, '')).toEqual([true])
    expect(await asked(10_000, '')).toEqual([false])
    expect(await asked(10_000, 'what matters '.repeat(200))).toEqual([])
  })

  it('leaves the warm rung out when there is no room for an answer', async () => {
    const warm = warmSaying(SUMMARY)
    const done = await climbed({ warm, log: logOf(turns(49, 400)), reason: 'overflow' })
    expect(warm.directives).toEqual([])
    expect(done).toMatchObject({ compacted: true, rung: 'digest' })
    expect(done.steps.join()).toMatch(/no room left for the directive and the answer/)
    // No model was asked, so none has failed: the breaker must not count it.
    expect(done.entries.map(({ type }) => type)).toEqual(['compaction'])
  })

  it('asks the warm rung in any case if a client sends the history for a summary anyway', async () => {
    const warm = { ...warmSaying(SUMMARY), isSentAnyway: true as const }
    const done = await climbed({ warm, log: logOf(turns(49, 400)), reason: 'overflow' })
    expect(warm.directives.map((directive) => directive.includes('<facts-'))).toEqual([false])
    expect(done).toMatchObject({ compacted: true, rung: 'warm' })
  })

  it('asks no model while the breaker is open, unless the user asks for a compaction', async () => {
    const failed = { type: 'attempt', outcome: 'failed', reason: 'x' } as const
    const open = appended(log, [failed, failed, failed])
    const models = { warm: warmSaying(SUMMARY), summaryModels: [modelSaying(SUMMARY)] }
    expect(await climbed({ log: open, reason: 'threshold', ...models })).toMatchObject({ rung: 'digest' })
    expect(models.warm.directives).toEqual([])
    expect(await climbed({ log: open, reason: 'manual', ...models })).toMatchObject({ rung: 'warm' })
  })

  it('has one try after the cool-down, and rests again when that fails', async () => {
    const failed = { type: 'attempt', outcome: 'failed', reason: 'x' } as const
    const open = appended(log, [failed, failed, failed], { clock: () => 0 })
    const summariser = modelSaying('')
    const clock = () => 5 * 60_000
    const tried = await climbed({ log: open, reason: 'threshold', summaryModels: [summariser], clock })
    expect(tried).toMatchObject({ rung: 'digest' })
    expect(summariser.requests).toHaveLength(1)
    const grown = appended(
      [...open, ...tried.entries],
      turns(40, 400).map((message) => ({ type: 'message', message })),
      { clock },
    )
    expect(await climbed({ log: grown, reason: 'threshold', summaryModels: [summariser], clock })).toMatchObject({
      compacted: true,
    })
    expect(summariser.requests).toHaveLength(1)
  })

  it('uses only the rungs that the policy allows', async () => {
    const summaryModels = [modelSaying(SUMMARY)]
    const warm = warmSaying(SUMMARY)
    const done = await climbed({ warm, summaryModels, policy: { rungs: ['digest'] } })
    expect(done.steps).toEqual(['digest'])
    expect([...warm.directives, ...(summaryModels[0]?.requests ?? [])]).toEqual([])
  })

  it('ends when it is cancelled, and commits nothing', async () => {
    const controller = new AbortController()
    const warm: WarmModel = {
      name: 'test/warm',
      async *stream() {
        yield 'half'
        controller.abort()
        await new Promise(() => {})
      },
    }
    const done = await climbed({ warm, summaryModels: [modelSaying(SUMMARY)], signal: controller.signal })
    expect(done).toMatchObject({ outcome: 'cancelled', compacted: false })
    expect(done.steps).toEqual(['warm test/warm'])
    expect(done.entries).toMatchObject([{ type: 'attempt', outcome: 'cancelled' }])
  })
})
