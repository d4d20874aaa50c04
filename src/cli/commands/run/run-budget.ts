import { AbortReason } from '../../../agent/abort-cause.ts'
import type { AgentEvent } from '../../../agent/events.ts'
import { dollars } from '../../../engine/report/numbers.ts'
import type { SpentMeter } from '../../../session/account/spent-meter.ts'
import type { RunLimits } from './run-limits.ts'

/** Watches what a run costs and how long it takes, and ends it when that is too much. */
export class RunBudget {
  readonly #limits: RunLimits
  readonly #meter: SpentMeter
  readonly #before: number
  readonly #stop = new AbortController()
  readonly #timer: NodeJS.Timeout | undefined
  #exceeded: string | undefined

  /** The meter has read the session as it was before the run. */
  constructor(limits: RunLimits, meter: SpentMeter) {
    this.#limits = limits
    this.#meter = meter
    this.#before = meter.report.cost ?? 0
    const { maxTimeMs } = limits
    if (maxTimeMs !== undefined) {
      this.#timer = setTimeout(
        () => this.#end(`the run took longer than ${maxTimeMs / 1_000} s (--max-time)`),
        maxTimeMs,
      )
    }
  }

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  /** Why the run was ended; undefined when it was not. */
  get exceeded(): string | undefined {
    return this.#exceeded
  }

  /** Takes an event of the run into account. */
  take(event: AgentEvent): void {
    if (event.type === 'entry') this.#meter.add(event.entry)
    if (event.type === 'compaction-ended') for (const entry of event.result.entries) this.#meter.add(entry)
    const cost = (this.#meter.report.cost ?? 0) - this.#before
    const { maxCost } = this.#limits
    if (maxCost !== undefined && cost > maxCost) {
      this.#end(`the run has cost ${dollars(cost)}, more than ${limitText(maxCost)} (--max-cost)`)
    }
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #end(why: string): void {
    if (this.#exceeded !== undefined) return
    this.#exceeded = why
    this.#stop.abort(new AbortReason(why))
  }
}

/** A small limit is shown with all its digits: "less than $0.0001" would not be a limit. */
function limitText(maxCost: number): string {
  return maxCost < 0.0001 ? `$${maxCost.toFixed(12).replace(/0+$/, '')}` : dollars(maxCost)
}
