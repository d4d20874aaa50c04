import type { CompactEvent } from '../../model/compact-result.ts'

/** The events of the engine and of every adapter. */
type TelemetryEvent =
  | CompactEvent
  | { readonly type: 'unchanged'; readonly outcome: string; readonly reason: string }
  | { readonly type: 'overflow' | 'doubt' | 'warning' | 'repaired' }

type Attributes = Record<string, string | number | boolean>

/** The part of `@opentelemetry/api` that is used. The caller passes a tracer and a meter, so we import nothing. */
export type SpanLike = {
  setAttributes(attributes: Attributes): unknown
  setStatus(status: { code: number; message?: string }): unknown
  addEvent(name: string, attributes?: Attributes): unknown
  end(): void
}
export type TracerLike = { startSpan(name: string, options?: { attributes?: Attributes }): SpanLike }
export type MeterLike = {
  createHistogram(name: string, options?: { unit?: string; description?: string }): InstrumentLike
}
type InstrumentLike = { record(value: number, attributes?: Attributes): void }

/** The receivers of spans and metrics: a tracer, a meter, or both. */
export type TelemetryOptions = {
  readonly tracer?: TracerLike
  readonly meter?: MeterLike
  /** The id that your program has for the conversation: `gen_ai.conversation.id` of each span. */
  readonly conversationId?: string
}

/** OpenTelemetry's status code for a failed span. */
const ERROR = 2

const OPERATION = { 'gen_ai.operation.name': 'compact_context' }

/**
 * A listener for `onEvent` that records one span for each compaction, and three metrics. Names come from the GenAI conventions
 * if those have one. A listener follows one conversation at a time, so give each concurrent conversation its own.
 *
 * @example
 * ```js
 * import { metrics, trace } from '@opentelemetry/api'
 * import { compactionTelemetry } from 'pith/opentelemetry'
 *
 * const onEvent = compactionTelemetry({ tracer: trace.getTracer('my-agent'), meter: metrics.getMeter('my-agent') })
 * ```
 */
export function compactionTelemetry({
  tracer,
  meter,
  conversationId,
}: TelemetryOptions): (event: TelemetryEvent) => void {
  const duration = meter?.createHistogram('gen_ai.client.operation.duration', { unit: 's' })
  const removed = meter?.createHistogram('pith.compaction.tokens_removed', { unit: '{token}' })
  const cost = meter?.createHistogram('pith.compaction.cost', { unit: 'USD' })
  let open: { readonly span?: SpanLike; readonly at: number } | undefined

  function end(attributes: Attributes, failure?: string): void {
    if (open === undefined) return
    open.span?.setAttributes(attributes)
    if (failure !== undefined) open.span?.setStatus({ code: ERROR, message: failure })
    open.span?.end()
    const seconds = (Date.now() - open.at) / 1_000
    duration?.record(seconds, { ...OPERATION, ...(failure === undefined ? {} : { 'error.type': 'compaction' }) })
    open = undefined
  }

  return (event) => {
    switch (event.type) {
      case 'start': {
        end({ 'pith.compaction.outcome': 'failed' }, 'it was given up')
        const attributes = {
          ...OPERATION,
          ...(conversationId === undefined ? {} : { 'gen_ai.conversation.id': conversationId }),
          'pith.compaction.reason': event.reason,
          'pith.compaction.tokens_before': event.tokens,
          'pith.compaction.messages': event.messages,
        }
        open = { span: tracer?.startSpan('compact_context', { attributes }), at: Date.now() }
        return
      }
      case 'refused':
        open?.span?.addEvent('pith.compaction.refused', { 'pith.compaction.rung': event.rung, reason: event.reason })
        return
      case 'done': {
        const { rung, model, tokensBefore, tokensAfter, cost: dollars } = event
        const by: Attributes = {
          'pith.compaction.rung': rung,
          ...(model === undefined ? {} : { 'gen_ai.request.model': model }),
        }
        removed?.record(tokensBefore - tokensAfter, { ...OPERATION, ...by })
        if (dollars !== undefined) cost?.record(dollars, { ...OPERATION, ...by })
        end({
          ...by,
          // The conventions set it to true or not at all.
          'gen_ai.conversation.compacted': true,
          'pith.compaction.outcome': 'compacted',
          'pith.compaction.tokens_before': tokensBefore,
          'pith.compaction.tokens_after': tokensAfter,
          ...(dollars === undefined ? {} : { 'pith.compaction.cost_usd': dollars }),
        })
        return
      }
      case 'unchanged':
        end({ 'pith.compaction.outcome': event.outcome }, event.reason)
        return
      default:
    }
  }
}
