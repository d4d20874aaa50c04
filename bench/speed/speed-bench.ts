import { join } from 'node:path'
import type { Bench, BenchContext, BenchResult } from '../harness/bench.ts'
import { startInstantModel } from '../harness/instant-model.ts'
import type { Contest, Env } from './contest.ts'
import { type Material, materials } from './material.ts'
import { type Measured, measure } from './measure.ts'
import { contestPlot, contestTable, failureNotes, goalNotes } from './tables.ts'

/** A benchmark of several contests, each on every material: a table, a plot, and whether the goals were met. */
export function speedBench(
  about: Pick<Bench, 'name' | 'what'> & { readonly notes?: readonly string[] },
  contests: readonly Contest[],
): Bench {
  return { ...about, run: (context) => runContests(about.notes ?? [], contests, context) }
}

async function runContests(
  notes: readonly string[],
  contests: readonly Contest[],
  context: BenchContext,
): Promise<BenchResult> {
  const all = await materials(context.quick, context.transcripts)
  const model = await startInstantModel()
  try {
    const measured: Measured[] = []
    for (const contest of contests) measured.push(await onAll(contest, all, context, model.url))
    return {
      tables: measured.map(contestTable),
      plots: measured.map(contestPlot),
      notes: [...measured.flatMap(goalNotes), ...measured.flatMap(failureNotes), ...notes],
      data: measured.map(({ contest: { slug }, columns }) => ({ slug, columns })),
    }
  } finally {
    await model.close()
  }
}

async function onAll(
  contest: Contest,
  all: readonly Material[],
  context: BenchContext,
  url: string,
): Promise<Measured> {
  const columns: Measured['columns'][number][] = []
  for (const [at, material] of all.entries()) {
    const scratch = join(context.scratch, `${contest.slug}-${at}`)
    const env: Env = { scratch, url, files: {} }
    columns.push(await measure(contest, material, { env, earlier: columns, context }))
  }
  return { contest, columns }
}
