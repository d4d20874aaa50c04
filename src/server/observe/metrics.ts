/** Upper bounds of the buckets, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const

type Labels = Readonly<Record<string, string>>
type Histogram = { readonly counts: number[]; sum: number; count: number }

/** Counters for Prometheus. Labels are names of routes, never of sessions. */
export class Metrics {
  readonly #counters = new Map<string, Map<string, number>>()
  readonly #times = new Map<string, Histogram>()

  add(name: string, labels: Labels = {}, by = 1): void {
    const series = this.#counters.get(name) ?? new Map<string, number>()
    const key = labelText(labels)
    series.set(key, (series.get(key) ?? 0) + by)
    this.#counters.set(name, series)
  }

  time(route: string, seconds: number): void {
    const key = labelText({ route })
    const times = this.#times.get(key) ?? { counts: BUCKETS.map(() => 0), sum: 0, count: 0 }
    for (const [i, bound] of BUCKETS.entries()) if (seconds <= bound) times.counts[i] = (times.counts[i] ?? 0) + 1
    times.sum += seconds
    times.count++
    this.#times.set(key, times)
  }

  /** All counters in the text format of Prometheus, and the gauges with their current values. */
  text(gauges: Readonly<Record<string, number>>): string {
    const lines = [...this.#counters].flatMap(([name, series]) => [
      `# TYPE ${name} counter`,
      ...[...series].map(([labels, value]) => `${name}${labels} ${value}`),
    ])
    const now = Object.entries(gauges).flatMap(([name, value]) => [`# TYPE ${name} gauge`, `${name} ${value}`])
    return `${[...lines, ...this.#histograms(), ...now].join('\n')}\n`
  }

  #histograms(): string[] {
    const name = 'pith_request_seconds'
    const lines = [...this.#times].flatMap(([labels, { counts, sum, count }]) => [
      ...BUCKETS.map((bound, i) => `${name}_bucket${withLabel(labels, 'le', String(bound))} ${counts[i]}`),
      `${name}_bucket${withLabel(labels, 'le', '+Inf')} ${count}`,
      `${name}_sum${labels} ${sum}`,
      `${name}_count${labels} ${count}`,
    ])
    return lines.length === 0 ? [] : [`# TYPE ${name} histogram`, ...lines]
  }
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${value.replace(/["\\\n]/g, '_')}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function withLabel(labels: string, key: string, value: string): string {
  return labels === '' ? `{${key}="${value}"}` : `${labels.slice(0, -1)},${key}="${value}"}`
}
