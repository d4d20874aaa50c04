import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Who takes part in a measurement: what is made before each run and not timed, and the work that is. */
export type Contestant<T = unknown> = {
  readonly name: string
  /** Each run gets its own, so that nothing is remembered from the run before. */
  prepare(): T | Promise<T>
  run(prepared: T): unknown
  /** How often `run` does the work: the time is for one of them. */
  readonly times?: number
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

export type RaceOptions = {
  readonly rounds: number
  readonly warmUp?: number
  /** A run that takes longer than this is the only one: warming up makes no difference any more. */
  readonly slowMs?: number
  /** Collects all garbage before a round, by default; a test whose times nobody reads has no use for that. */
  readonly collect?: () => void
}

/**
 * Runs all contestants in turn, round after round, so that noise of the machine hits all alike, and gives the median of
 * each. The first rounds warm up. One that throws gives a row that says why.
 */
export async function race(
  contestants: readonly Contestant[],
  { rounds, warmUp = 1, slowMs = 10_000, collect = collectGarbage }: RaceOptions,
): Promise<Timed[]> {
  const lanes = contestants.map((one) => ({
    one,
    runs: [] as number[],
    over: false,
    held: undefined as unknown,
    failure: undefined as string | undefined,
  }))
  for (let round = -warmUp; round < rounds; round++) {
    collect()
    for (const lane of rotated(lanes, round + warmUp).filter(({ over }) => !over)) {
      try {
        const { ms, whole, living } = await timeOf(lane.one)
        // Code is compiled for the shapes of living objects: without any it would be thrown away between the rounds.
        lane.held = living
        lane.over = whole > slowMs
        if (round >= 0 || lane.over) lane.runs.push(ms)
      } catch (error) {
        lane.over = true
        lane.failure = error instanceof Error ? error.message : String(error)
      }
    }
  }
  return lanes.map(({ one: { name }, runs, failure }) => ({
    name,
    ms: median(runs),
    runs,
    ...(failure === undefined ? {} : { failure }),
  }))
}

/** Another one begins each time: the first in a round pays for what collecting all garbage leaves to be done. */
function rotated<T>(all: readonly T[], by: number): T[] {
  const at = by % Math.max(1, all.length)
  return [...all.slice(at), ...all.slice(0, at)]
}

async function timeOf({
  prepare,
  run,
  after,
  times = 1,
}: Contestant): Promise<{ ms: number; whole: number; living: unknown }> {
  const prepared = await prepare()
  collectGarbage('minor')
  const start = performance.now()
  let result = run(prepared)
  // Awaiting what is no promise would cost a turn of the event loop's queue.
  if (result instanceof Promise) result = await result
  const whole = performance.now() - start
  await after?.(prepared)
  return { ms: whole / times, whole, living: { prepared, result } }
}

/** The value in the middle; not a number where there is none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2
}

/** What one contestant leaves behind is not collected in the time of the next; all of it takes long, the newest is most. */
export function collectGarbage(type: 'major' | 'minor' = 'major'): void {
  collector ??= exposedCollector()
  collector({ type })
}

type Collector = (options: { readonly type: 'major' | 'minor' }) => void
let collector: Collector | undefined

function exposedCollector(): Collector {
  setFlagsFromString('--expose-gc')
  // Collecting so often would make the engine forget its compiled code, which no program lives to see.
  setFlagsFromString('--no-flush-bytecode')
  return runInNewContext('gc') as Collector
}
