import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Store } from '../../store/store.ts'

/** Upper bounds of the buckets, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const

type Labels = Readonly<Record<string, string>>
type Histogram = { readonly counts: number[]; sum: number; count: number }

/** Counters for Prometheus. Labels are names of routes, never of sessions. */
export class Metrics {
  readonly #counters = new Map<string, Map<string, number>>()
  readonly #times = new Map<string, Map<string, Histogram>>()

  add(name: string, labels: Labels = {}, by = 1): void {
    const series = this.#counters.get(name) ?? new Map<string, number>()
    const key = labelText(labels)
    series.set(key, (series.get(key) ?? 0) + by)
    this.#counters.set(name, series)
  }

  time(name: string, labels: Labels, seconds: number): void {
    const series = this.#times.get(name) ?? new Map<string, Histogram>()
    this.#times.set(name, series)
    const key = labelText(labels)
    const times = series.get(key) ?? { counts: BUCKETS.map(() => 0), sum: 0, count: 0 }
    for (const [i, bound] of BUCKETS.entries()) if (seconds <= bound) times.counts[i] = (times.counts[i] ?? 0) + 1
    times.sum += seconds
    times.count++
    series.set(key, times)
  }

  /** All counters in the text format of Prometheus, and the gauges with their current values. */
  text(gauges: Readonly<Record<string, number>>): string {
    const lines = [...this.#counters].flatMap(([name, series]) => [
      ...head(name, 'counter'),
      ...[...series].map(([labels, value]) => `${name}${labels} ${value}`),
    ])
    const now = Object.entries(gauges).flatMap(([name, value]) => [...head(name, 'gauge'), `${name} ${value}`])
    return `${[...lines, ...this.#histograms(), ...now].join('\n')}\n`
  }

  #histograms(): string[] {
    return [...this.#times].flatMap(([name, series]) => [
      ...head(name, 'histogram'),
      ...[...series].flatMap(([labels, { counts, sum, count }]) => [
        ...BUCKETS.map((bound, i) => `${name}_bucket${withLabel(labels, 'le', String(bound))} ${counts[i]}`),
        `${name}_bucket${withLabel(labels, 'le', '+Inf')} ${count}`,
        `${name}_sum${labels} ${sum}`,
        `${name}_count${labels} ${count}`,
      ]),
    ])
  }
}

function head(name: string, type: 'counter' | 'gauge' | 'histogram'): string[] {
  return [`# HELP ${name} ${METRIC_HELP[name] ?? name}`, `# TYPE ${name} ${type}`]
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${value.replace(/["\\\n]/g, '_')}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function withLabel(labels: string, key: string, value: string): string {
  return labels === '' ? `{${key}="${value}"}` : `${labels.slice(0, -1)},${key}="${value}"}`
}

/** The HELP line of each metric. */
export const METRIC_HELP: Readonly<Record<string, string>> = {
  pith_requests_total: 'Requests by method, route and status.',
  pith_request_seconds: 'Time from a request to the beginning of its answer, by route.',
  pith_gateway_tokens_total: 'Tokens of requests through the gateway as providers counted them, by upstream and kind.',
  pith_gateway_own_seconds: 'Time that requests waited for the gateway before they were sent on, by upstream.',
  pith_messages_total: 'Messages that were appended to sessions.',
  pith_turns_total: 'Turns of the agent, by the reason of their end.',
  pith_compactions_total: 'Compactions that were requested, by outcome.',
  pith_tokens_saved_total: 'Tokens that compactions removed from contexts.',
  pith_running: 'Turns and compactions that run in this process now.',
  pith_streams: 'Event streams that are open now.',
  pith_memory_bytes: 'Resident memory of the process.',
  pith_cpu_seconds: 'Processor time of the process since its start, user and system.',
  pith_event_loop_lag_seconds: 'Mean delay of the event loop since this was last read.',
  pith_event_loop_lag_most_seconds: 'Longest delay of the event loop since this was last read.',
  pith_store_seconds: 'Time of a call of the store, by call.',
  pith_store_connections: 'Number of connections to the database.',
  pith_store_connections_idle: 'Connections to the database that are not in use.',
  pith_store_waiting: 'Calls that wait for a connection to the database.',
}

const RESOLUTION_MS = 20

/** How late the event loop is: the mean and the longest delay since the last read, in seconds. */
export class LoopLag {
  readonly #delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })

  constructor() {
    this.#delays.enable()
  }

  read(): { readonly mean: number; readonly most: number } {
    const { mean, max } = this.#delays
    this.#delays.reset()
    // The timer itself is a part of each delay that it measures.
    const late = (nanoseconds: number) => Math.max(0, (nanoseconds || 0) / 1e9 - RESOLUTION_MS / 1_000)
    return { mean: late(mean), most: late(max) }
  }

  close(): void {
    this.#delays.disable()
  }
}

/** The calls that are timed. */
const CALLS = ['createSession', 'session', 'sessions', 'append', 'appended', 'entries', 'summaries', 'search'] as const

/** A store whose calls are timed. */
export function timedStore(store: Store, metrics: Metrics): Store {
  const timed = CALLS.map((name) => [name, timedCall(name, store[name] as Call, metrics)])
  return { ...store, ...Object.fromEntries(timed) }
}

// The methods of a store differ in their arguments, which are passed on unchanged.
type Call = (...input: unknown[]) => Promise<unknown>

function timedCall(name: string, call: Call, metrics: Metrics): Call {
  return async (...input) => {
    const started = performance.now()
    try {
      return await call(...input)
    } finally {
      metrics.time('pith_store_seconds', { call: name }, (performance.now() - started) / 1_000)
    }
  }
}
