import { expect, it } from 'vitest'
import { compactionTelemetry } from '../../../src/adapters/opentelemetry/index.ts'

/** A tracer that notes its calls. The package tests use OpenTelemetry's own. */
function noted() {
  const ended: { attributes: object; failure?: string }[] = []
  const tracer = {
    startSpan: (_name: string, options?: { attributes?: object }) => {
      let attributes: object = options?.attributes ?? {}
      let failure: string | undefined
      return {
        setAttributes: (more: object) => {
          attributes = { ...attributes, ...more }
        },
        setStatus: ({ message }: { message?: string }) => {
          failure = message
        },
        addEvent: () => {},
        end: () => {
          ended.push({ attributes, ...(failure === undefined ? {} : { failure }) })
        },
      }
    },
  }
  return { ended, tracer }
}

const start = { type: 'start', reason: 'threshold', tokens: 90, messages: 5 } as const

it('a compaction is one span', () => {
  const { ended, tracer } = noted()
  const hear = compactionTelemetry({ tracer, conversationId: 'thread-1' })
  hear(start)
  hear({ type: 'refused', rung: 'cold', reason: 'empty' })
  hear({ type: 'done', rung: 'digest', tokensBefore: 90, tokensAfter: 30, cost: 0.01 })
  expect(ended).toEqual([
    {
      attributes: expect.objectContaining({
        'pith.compaction.reason': 'threshold',
        'pith.compaction.rung': 'digest',
        'pith.compaction.tokens_after': 30,
        'pith.compaction.cost_usd': 0.01,
        'gen_ai.conversation.id': 'thread-1',
        'gen_ai.conversation.compacted': true,
      }),
    },
  ])
})

it('one that came to nothing says why, and leaves no span open', () => {
  const { ended, tracer } = noted()
  const hear = compactionTelemetry({ tracer })
  hear(start)
  hear({ type: 'unchanged', outcome: 'failed', reason: 'the model is down' })
  hear(start)
  hear(start)
  expect(ended).toMatchObject([{ failure: 'the model is down' }, { failure: 'it was given up' }])
  for (const { attributes } of ended) expect(attributes).not.toHaveProperty('gen_ai.conversation.compacted')
})

it('costs nothing without a tracer', () => {
  expect(() => compactionTelemetry({})(start)).not.toThrow()
})
