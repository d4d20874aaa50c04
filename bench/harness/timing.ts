import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Who takes part in a measurement: what is made before each run and not timed, and the work that is. */
export type Contestant<T = unknown> = {
  readonly name: string
  /** Each run gets its own, so that nothing is remembered from the run before. */
  prepare(): T | Promise<T>
  run(prepared: T): unknown
  /** Takes down what `prepare` has made; not timed. */
  after?(prepared: T): unknown
}

/** A contestant of any type of preparation, for a list. */
export function contestant<T>(made: Contestant<T>): Contestant {
  return made as Contestant
}

export type Timed = {
  readonly name: string
  readonly ms: number
  readonly runs: readonly number[]
  readonly failure?: string
}

/**
 * Runs all contestants in turn, round after round, so that noise of the machine hits all alike, and gives the median of
 * each. The first rounds warm up. One that throws gives a row that says why.
 */
export async function race(
  contestants: readonly Contestant[],
  { rounds, warmUp = 1 }: { readonly rounds: number; readonly warmUp?: number },
): Promise<Timed[]> {
  const runs = contestants.map((): number[] => [])
  const failures: (string | undefined)[] = contestants.map(() => undefined)
  for (let round = -warmUp; round < rounds; round++) {
    for (const [at, one] of contestants.entries()) {
      if (failures[at] !== undefined) continue
      try {
        const ms = await timeOf(one)
        if (round >= 0) runs[at]?.push(ms)
      } catch (error) {
        failures[at] = error instanceof Error ? error.message : String(error)
      }
    }
  }
  return contestants.map(({ name }, at) => {
    const own = runs[at] ?? []
    const failure = failures[at]
    return { name, ms: median(own), runs: own, ...(failure === undefined ? {} : { failure }) }
  })
}

async function timeOf({ prepare, run, after }: Contestant): Promise<number> {
  const prepared = await prepare()
  collectGarbage()
  const start = performance.now()
  const result = run(prepared)
  // Awaiting what is no promise would cost a turn of the event loop's queue.
  if (result instanceof Promise) await result
  const ms = performance.now() - start
  await after?.(prepared)
  return ms
}

/** The value in the middle; not a number where there is none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2
}

/** What one contestant leaves behind is not collected in the time of the next. */
export function collectGarbage(): void {
  collect ??= exposedCollector()
  collect()
}

let collect: (() => void) | undefined

function exposedCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
