import type { PolicyPatch } from '../../src/model/policy/policy.ts'
import { PRESETS } from '../../src/model/policy/presets.ts'
import type { Bench, BenchContext, BenchResult, Plot, PlotLine } from '../harness/bench.ts'
import { costTable } from './cost-table.ts'
import {
  type Contender,
  type ContenderOutcomes,
  editsPercent,
  foundPercent,
  type Outcome,
  outcomesOf,
  sumOf,
} from './outcome.ts'
import { SONNET } from './prices.ts'
import { materialOf } from './sessions.ts'

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
    values: [30_000, 50_000, 70_000, 90_000, 110_000, 130_000, 150_000],
    policy: (value) => ({ triggerMaxTokens: value, targetMaxTokens: Math.round(value * TARGET_SHARE) }),
  },
  {
    name: 'cost/end-of-work',
    what: 'Cost and retention over the share of the trigger from which on a compaction comes at an end of work',
    label: 'ends of work from: percent of the trigger',
    values: [55, 62, 70, 80, 90, 100],
    policy: (value) => ({ endOfWorkPercent: value }),
  },
  {
    name: 'cost/percent',
    what: 'Cost and retention over the share of the window at which it is compacted',
    label: 'trigger: percent of the window',
    values: [30, 40, 50, 60, 70, 80, 90],
    policy: (value) => ({ triggerPercent: value }),
  },
  {
    name: 'cost/tail',
    what: 'Cost and retention over what stays verbatim after a summary',
    label: 'tail: tokens',
    values: [5_000, 10_000, 20_000, 30_000, 40_000],
    policy: (value) => ({ keepTokens: value }),
  },
  {
    name: 'cost/mask',
    what: 'Cost and retention over the size of a batch of masked tool output: from the trigger down to the target',
    label: 'batch: tokens from trigger to target',
    // A target nearer to the trigger than 3 in 8 is lowered to that, so there are no smaller batches.
    values: [52_000, 66_000, 82_000, 94_000, 106_000],
    policy: (value) => ({ targetMaxTokens: triggerMaxTokens - value }),
  },
]

/** The sweeps that the default policy was chosen by. */
export const sweeps: readonly Bench[] = SWEEPS.map((sweep) => ({
  name: sweep.name,
  what: sweep.what,
  run: (context) => run(sweep, context),
}))

/** The window that the default was chosen on. */
const WINDOW = 200_000

async function run(sweep: Sweep, { quick, transcripts, progress }: BenchContext): Promise<BenchResult> {
  const { single } = await materialOf(transcripts, quick)
  // Made-up sessions are all the same work, so they need no second half: all are used.
  const sessions = single.filter(({ half }) => transcripts.length === 0 || half === 'choosing')
  const values = quick ? sweep.values.filter((_, i) => i % 3 === 1) : sweep.values
  const points: ContenderOutcomes[] = []
  for (const value of values) {
    progress(`${sweep.label} ${value}`)
    const contender: Contender = { name: value.toLocaleString('en'), policy: sweep.policy(value) }
    points.push(await outcomesOf(contender, sessions, WINDOW, SONNET))
  }
  const sums = points.map(({ bySession }) => sumOf(bySession))
  const dollars = ({ cost, sessions: count }: Outcome) => cost / count
  const kept = (x: (outcome: Outcome, i: number) => number): PlotLine[] => [
    { label: 'far references found', points: sums.map((outcome, i) => [x(outcome, i), foundPercent(outcome)]) },
    { label: 'edited text in view', points: sums.map((outcome, i) => [x(outcome, i), editsPercent(outcome)]) },
  ]
  const name = sweep.name.replace('/', '-')
  const x = { label: sweep.label, scale: sweep.name === 'cost/trigger' ? 'log' : 'linear' } as const
  const valueAt = (_: Outcome, i: number) => values[i] ?? 0
  const prices = {
    label: 'dollars',
    points: sums.map((outcome, i) => [valueAt(outcome, i), dollars(outcome)] as const),
  }
  const plots: Plot[] = [
    {
      name: `${name}-dollars`,
      title: `Dollars a session, by ${sweep.label}`,
      x,
      y: { label: 'dollars' },
      lines: [prices],
    },
    { name: `${name}-kept`, title: `What is kept, by ${sweep.label}`, x, y: { label: '%' }, lines: kept(valueAt) },
    {
      name: `${name}-frontier`,
      title: `What is kept for the money, by ${sweep.label}`,
      x: { label: 'dollars a session' },
      y: { label: '%' },
      lines: kept(dollars),
    },
  ]
  const title = `By ${sweep.label}: window of ${WINDOW.toLocaleString('en')}, the ${sessions.length} sessions for choosing`
  return { tables: [costTable(title, points)], plots, data: points }
}
