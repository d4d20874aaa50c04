import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** A participant in a measurement. Its preparation is not timed, its run is. */
export type Contestant<T = unknown> = {
  readonly name: string
  /** Called before each run, so that nothing is remembered from the run before. */
  prepare(): T | Promise<T>
  run(prepared: T): unknown
  /** How often `run` does the work; the time is divided by this. */
  readonly times?: number
  /** Cleans up what `prepare` has made; not timed. */
  after?(prepared: T): unknown
}

/** Drops the type of the preparation, so that contestants fit into one list. */
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
  /** A run that takes longer than this is not repeated: warming up would make no difference. */
  readonly slowMs?: number
  /** Runs before each round; collects all garbage by default. Tests that do not look at the times replace it. */
  readonly collect?: () => void
}

/**
 * Runs all contestants in turn, round after round, so that noise of the machine affects all of them, and returns the median of
 * each. The first rounds warm up. If a contestant throws, its row says why.
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
        // Code is compiled for the shapes of living objects. Without any, V8 would throw the code away between the rounds.
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

/** A different contestant begins each time: the first of a round pays for the work that a full garbage collection leaves. */
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
  // Awaiting a value that is not a promise would cost a turn of the event loop.
  if (result instanceof Promise) result = await result
  const whole = performance.now() - start
  await after?.(prepared)
  return { ms: whole / times, whole, living: { prepared, result } }
}

/** The value in the middle; NaN if there is none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2
}

/** Keeps the garbage of one contestant out of the time of the next. A full collection takes long; a minor one gets most of it. */
export function collectGarbage(type: 'major' | 'minor' = 'major'): void {
  collector ??= exposedCollector()
  collector({ type })
}

type Collector = (options: { readonly type: 'major' | 'minor' }) => void
let collector: Collector | undefined

function exposedCollector(): Collector {
  setFlagsFromString('--expose-gc')
  // Collecting this often would make V8 drop its compiled code, which does not happen to real programs.
  setFlagsFromString('--no-flush-bytecode')
  return runInNewContext('gc') as Collector
}
