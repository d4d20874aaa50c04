import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchContext } from '../harness/bench.ts'
import { inChild } from '../harness/in-child.ts'
import { type Contestant, median, type RaceOptions, race, type Timed } from '../harness/timing.ts'
import type { Contest, Entrant, Env } from './contest.ts'
import { expectedMs, QUICK_TOO_LONG_MS, TOO_LONG_MS } from './expected.ts'
import type { Material } from './material.ts'

export type Measured = { readonly contest: Contest; readonly columns: readonly Column[] }

/** All entrants on one material. */
export type Column = {
  readonly label: string
  readonly size?: number
  readonly results: readonly Result[]
}

export type Result = {
  readonly name: string
  readonly ms: number
  readonly addedMb?: number
  readonly failure?: string
}

type Place = { readonly env: Env; readonly earlier: readonly Column[]; readonly context: BenchContext }

/** Times all entrants in turns, and their memory in a process of its own each. */
export async function measure(contest: Contest, material: Material, place: Place): Promise<Column> {
  const { context } = place
  const { label, size } = material
  mkdirSync(place.env.scratch, { recursive: true })
  try {
    context.progress(`${contest.title}, ${label}: making ready`)
    const env = { ...place.env, files: (await contest.setUp?.(material, place.env)) ?? {} }
    const held = contest.entrants.map((entrant) => ({ entrant, why: whyNot(entrant, material, place) }))
    const entering = held.flatMap(({ entrant, why }) => (why === undefined ? [entrant] : []))
    context.progress(`${contest.title}, ${label}: ${entering.length} in turns`)
    // A process for each run is too long for a quick look.
    const results =
      contest.coldStarts && !context.quick
        ? await coldRuns(contest, entering, material, { ...place, env })
        : await warmRuns(contest, entering, material, { ...place, env })
    const kept = held.flatMap(({ entrant: { name }, why }) =>
      why === undefined ? [] : [{ name, ms: Number.NaN, failure: why }],
    )
    return { label, ...(size === undefined ? {} : { size }), results: [...results, ...kept] }
  } finally {
    rmSync(place.env.scratch, { recursive: true, force: true })
  }
}

function whyNot({ name, kind }: Entrant, { size }: Material, { earlier, context }: Place): string | undefined {
  const before = earlier.flatMap((column) => {
    const result = column.results.find((one) => one.name === name)
    return result === undefined || column.size === undefined ? [] : [{ size: column.size, ms: result.ms }]
  })
  const expected = size === undefined || kind !== 'peer' ? undefined : expectedMs(before, size)
  if (expected === undefined || expected < (context.quick ? QUICK_TOO_LONG_MS : TOO_LONG_MS)) return undefined
  if (!Number.isFinite(expected)) return 'not run: it was too slow for less'
  return `not run: it would take about ${Math.round(expected / 1_000).toLocaleString('en-US')} s by how it has grown`
}

async function warmRuns(
  contest: Contest,
  entrants: readonly Entrant[],
  material: Material,
  place: Place,
): Promise<Result[]> {
  const entered = await Promise.all(entrants.map((entrant) => entering(entrant, material, place.env)))
  const timed = await race(entered, roundsFor(material, place.context))
  const results: Result[] = []
  for (const one of timed) {
    place.context.progress(`${contest.title}, ${material.label}: memory of ${one.name}`)
    // Each is a process of its own that loads the peers: too long for a quick look.
    const wanted = one.failure === undefined && !place.context.quick
    const mb = wanted ? await memoryOf(contest, one.name, material, place.env) : undefined
    results.push({ ...without(one), ...(mb === undefined ? {} : { addedMb: mb }) })
  }
  return results
}

/** An entrant that cannot take part throws in its turn, and its row says why. */
async function entering(entrant: Entrant, material: Material, env: Env): Promise<Contestant> {
  try {
    return { ...(await entrant.enter(material, env)), name: entrant.name }
  } catch (error) {
    return { name: entrant.name, prepare: () => Promise.reject(error), run: () => undefined }
  }
}

async function memoryOf(contest: Contest, entrant: string, material: Material, env: Env): Promise<number | undefined> {
  try {
    return (await child(contest, entrant, material, env)).addedMb
  } catch {
    return undefined
  }
}

async function coldRuns(
  contest: Contest,
  entrants: readonly Entrant[],
  material: Material,
  place: Place,
): Promise<Result[]> {
  const rounds = place.context.quick ? 2 : 7
  const lanes = entrants.map(({ name }) => ({
    name,
    ms: [] as number[],
    mb: [] as number[],
    failure: undefined as string | undefined,
  }))
  for (let round = 0; round < rounds; round++) {
    for (const lane of lanes.filter(({ failure }) => failure === undefined)) {
      place.context.progress(`${contest.title}, ${material.label}: round ${round + 1} of ${rounds}, ${lane.name}`)
      try {
        const { ms, addedMb } = await child(contest, lane.name, material, place.env)
        lane.ms.push(ms)
        lane.mb.push(addedMb)
      } catch (error) {
        lane.failure = error instanceof Error ? error.message.split('\n').at(-2) : String(error)
      }
    }
  }
  return lanes.map(({ name, ms, mb, failure }) => ({
    name,
    ms: median(ms),
    addedMb: median(mb),
    ...(failure === undefined ? {} : { failure }),
  }))
}

async function child(
  { module, name: contest }: Contest,
  entrant: string,
  material: Material,
  env: Env,
): Promise<{ ms: number; addedMb: number }> {
  const file = join(env.scratch, 'material.json')
  writeFileSync(file, JSON.stringify(material))
  const run = join(import.meta.dirname, 'one-run.ts')
  const { ms, value, addedBytes } = await inChild(run, 'oneRun', { module, contest, entrant, material: file, env })
  return { ms: ms / Number(value), addedMb: addedBytes / 2 ** 20 }
}

function without({ name, ms, failure }: Timed): Result {
  return { name, ms, ...(failure === undefined ? {} : { failure }) }
}

function roundsFor({ messages }: Material, { quick }: BenchContext): RaceOptions {
  if (quick) return { rounds: 3, warmUp: messages < 5_000 ? 3 : 0, slowMs: 1_000 }
  if (messages >= 50_000) return { rounds: 5, warmUp: 1 }
  return messages >= 5_000 ? { rounds: 9, warmUp: 2 } : { rounds: 15, warmUp: 10 }
}
