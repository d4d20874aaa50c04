import type { PolicyPatch } from '../../src/model/policy.ts'
import { PRESETS } from '../../src/model/presets.ts'
import type { Bench, BenchContext, BenchResult, Line, Plot } from '../harness/bench.ts'
import { costTable } from './cost-table.ts'
import {
  type Contender,
  type ContenderOutcomes,
  editsPercent,
  type Outcome,
  outcomesOf,
  sumOf,
  toldPercent,
} from './outcome.ts'
import { WINDOWS } from './policies.ts'
import { SONNET } from './prices.ts'
import { type CostSession, materialOf } from './sessions.ts'

/** One setting at many values, all else as in the default policy. */
type Sweep = {
  readonly name: string
  readonly what: string
  readonly label: string
  readonly values: readonly number[]
  policy(value: number): PolicyPatch
}

const { triggerMaxTokens = 0, targetMaxTokens = 0 } = PRESETS.pith
const TARGET_SHARE = targetMaxTokens / triggerMaxTokens

const SWEEPS: readonly Sweep[] = [
  {
    name: 'cost/trigger',
    what: 'Cost and retention over the tokens of the conversation at which it is compacted, the target going with it',
    label: 'trigger: tokens that were said',
    values: [30_000, 40_000, 50_000, 60_000, 80_000, 100_000, 120_000, 160_000, 240_000, 400_000, 800_000],
    policy: (value) => ({ triggerMaxTokens: value, targetMaxTokens: Math.round(value * TARGET_SHARE) }),
  },
  {
    name: 'cost/percent',
    what: 'Cost and retention over the share of the window at which it is compacted',
    label: 'trigger: percent of the window',
    values: [20, 30, 40, 50, 60, 70, 80, 90],
    policy: (value) => ({ triggerPercent: value }),
  },
  {
    name: 'cost/tail',
    what: 'Cost and retention over what stays verbatim behind a summary',
    label: 'tail: tokens',
    values: [2_000, 5_000, 10_000, 15_000, 20_000, 25_000, 30_000],
    policy: (value) => ({ keepTokens: value }),
  },
  {
    name: 'cost/mask',
    what: 'Cost and retention over the size of a batch of masked tool output: from the trigger down to the target',
    label: 'batch: tokens from trigger to target',
    // A target nearer to the trigger than 3 in 8 is lowered to that: smaller batches there are none.
    values: [30_000, 36_000, 42_000, 48_000, 52_000, 56_000, 60_000, 66_000],
    policy: (value) => ({ targetMaxTokens: triggerMaxTokens - value }),
  },
]

/** The sweeps behind the default policy. */
export const sweeps: readonly Bench[] = SWEEPS.map((sweep) => ({
  name: sweep.name,
  what: sweep.what,
  run: (context) => run(sweep, context),
}))

async function run(sweep: Sweep, { quick, transcripts, progress }: BenchContext): Promise<BenchResult> {
  const { single, long } = await materialOf(transcripts, quick)
  const values = quick ? sweep.values.filter((_, i) => i % 3 === 1) : sweep.values
  const byWindow: { window: number; kind: string; points: ContenderOutcomes[] }[] = []
  for (const window of quick ? WINDOWS.slice(0, 1) : WINDOWS) {
    for (const [kind, sessions] of kindsFor(window, single, long)) {
      const points: ContenderOutcomes[] = []
      for (const value of values) {
        progress(`${sweep.label} ${value}, window ${window}, ${kind}`)
        const contender: Contender = { name: value.toLocaleString('en'), policy: sweep.policy(value) }
        points.push(await outcomesOf(contender, sessions, window, SONNET))
      }
      byWindow.push({ window, kind, points })
    }
  }
  const name = sweep.name.replace('/', '-')
  const title = (window: number, kind: string) => `window of ${window.toLocaleString('en')}, ${kind}`
  const linesOf = (value: (outcome: Outcome) => number): Line[] =>
    byWindow.map(({ window, kind, points }) => ({
      label: `${window / 1_000}k, ${kind}`,
      points: points.map(({ bySession }, i) => [values[i] ?? 0, value(sumOf(bySession))]),
    }))
  const plot = (about: string, label: string, value: (outcome: Outcome) => number): Plot => ({
    name: `${name}-${about}`,
    title: `${label}, by ${sweep.label}`,
    x: { label: sweep.label, scale: sweep.name === 'cost/trigger' ? 'log' : 'linear' },
    y: { label },
    lines: linesOf(value),
  })
  const frontier = (about: string, label: string, value: (outcome: Outcome) => number): Plot => ({
    ...plot(about, label, value),
    x: { label: 'dollars a session' },
    title: `What is kept for the money, by ${sweep.label}`,
    lines: byWindow.map(({ window, kind, points }) => ({
      label: `${window / 1_000}k, ${kind}`,
      points: points.map(({ bySession }) => {
        const outcome = sumOf(bySession)
        return [outcome.cost / outcome.sessions, value(outcome)]
      }),
    })),
  })
  return {
    tables: byWindow.map(({ window, kind, points }) => costTable(`By ${sweep.label}: ${title(window, kind)}`, points)),
    plots: [
      plot('dollars', 'dollars a session', ({ cost, sessions }) => cost / sessions),
      plot('kept', 'far references told %', toldPercent),
      frontier('frontier', 'far references told %', toldPercent),
      frontier('edits', 'edited text in view %', editsPercent),
    ],
    data: byWindow,
  }
}

/** Sessions as they are end before a window of a million does. */
function kindsFor(window: number, single: readonly CostSession[], long: readonly CostSession[]) {
  const both = [['as they are', single] as const, ['joined', long] as const]
  return window > 200_000 ? both.slice(1) : both
}
