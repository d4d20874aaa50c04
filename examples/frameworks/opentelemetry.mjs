/**
 * A span and metrics for each compaction, as OpenTelemetry's own SDK exports them.
 * In an empty folder with this file: npm install pith @opentelemetry/sdk-metrics @opentelemetry/sdk-trace-base && node opentelemetry.mjs
 */
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { fit } from 'pith'
import { compactionTelemetry, requestAttributes } from 'pith/opentelemetry'

const spans = new InMemorySpanExporter()
const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }).getTracer('pith')
const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
const reader = new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 60_000 })
const meter = new MeterProvider({ readers: [reader] }).getMeter('pith')

const messages = Array.from({ length: 60 }, (_, i) => ({
  role: i % 2 ? 'assistant' : 'user',
  content: `words${i} `.repeat(300),
}))
async function* summary() {
  yield '## Goal\nTo talk about words1 and words2.'
  yield { type: 'finish', reason: 'stop', usage: { inputTokens: 1_000, outputTokens: 20 } }
}
const prices = { input: 1, output: 5 }
const fitted = await fit(messages, {
  window: 16_000,
  summaryModels: [{ name: 'my/model', prices, stream: summary }],
  onEvent: compactionTelemetry({ tracer, meter, conversationId: 'thread-1' }),
})
// The span of the request itself says that its messages are a compacted view of the conversation.
const attributes = { 'gen_ai.operation.name': 'chat', ...requestAttributes(fitted.messages) }
tracer.startSpan('chat my/model', { attributes }).end()
await reader.forceFlush()
const names = metrics
  .getMetrics()
  .flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap((scope) => scope.metrics.map(({ descriptor }) => descriptor.name)),
  )
console.log(
  JSON.stringify({
    spans: spans.getFinishedSpans().map(({ name, attributes, status }) => ({ name, attributes, status })),
    metrics: names,
  }),
)
process.exit(0)
