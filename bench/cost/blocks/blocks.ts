import { bootstrapOf } from '../../../src/eval/kit/bootstrap.ts'
import type { PolicyPatch } from '../../../src/model/policy/policy.ts'
import type { Bench, BenchContext, BenchResult, Cell, Table } from '../../harness/bench.ts'
import type { Half } from '../division.ts'
import { type ContenderOutcomes, editsPercent, foundPercent, type Outcome, outcomesOf, sumOf } from '../outcome.ts'
import { SONNET } from '../prices.ts'
import { type CostSession, materialOf } from '../sessions.ts'
import type { BlockChoice } from './block-keeper.ts'
import { BLOCK_RULES, type BlockRule, highest, LIKELY_NAMES } from './rules.ts'
import { keptIn, type Sample, samplesOf } from './samples.ts'
import { blocksFor, pendingUses } from './uses.ts'

/** Compares rules for the blocks that a record might keep with an oracle that knows what is used later. */
export const blocks: Bench = {
  name: 'cost/blocks',
  what: 'Blocks of lines kept in a record: how many of those that are used later each rule keeps, and what that costs',
  run,
}

const MOST_LINES = 10
const BUDGETS = [4_000, 8_000] as const
const WINDOW = 200_000
const HALVES: readonly Half[] = ['choosing', 'reporting']

async function run({ quick, transcripts, progress }: BenchContext): Promise<BenchResult> {
  const { single } = await materialOf(transcripts, quick)
  progress('places to compact')
  const samples = single.flatMap((session) => samplesOf(session, MOST_LINES))
  const outcomes: ContenderOutcomes[] = []
  for (const { name, policy, blocks: choice } of SETTINGS) {
    progress(name)
    outcomes.push(await outcomesOf({ name, policy, ...(choice && { blocks: choice }) }, single, WINDOW, SONNET))
  }
  const halves = HALVES.filter((half) => single.some((session) => session.half === half))
  return {
    tables: halves.flatMap((half) => [keptTable(half, samples), costTable(half, single, outcomes)]),
    notes: [NOTE],
    data: outcomes,
  }
}

const NOTE = [
  `A block has at most ${MOST_LINES} lines. Each session is cut every 20,000 tokens from 60,000 on, with a tail of 8,000 tokens and no record.`,
  'A block is used if it is the newest that shows what a call in the next 80,000 tokens names or replaces, and neither the tail nor anything said in between does.',
  'A use is served if the kept blocks show its names or lines, in whichever block. Cost: blocks are chosen when a record is written, those of the oracle also after masks; their tokens come on top of trigger and target.',
  'All references: also those to the last 20,000 tokens, which a shorter tail may lose. Intervals are 95 %, bootstrapped over sessions; positive is better.',
].join(' ')

function keptTable(half: Half, all: readonly Sample[]): Table {
  const samples = all.filter(({ session }) => session.half === half)
  return {
    title: `${samples.length} places in the sessions for ${half}: used blocks kept, and uses served`,
    columns: [
      'rule',
      ...BUDGETS.flatMap((most) => [
        `${most.toLocaleString('en')} tokens: % of used blocks per 1,000`,
        'uses served %',
      ]),
    ],
    rows: [
      ...BLOCK_RULES.map((rule) => [rule.name, ...BUDGETS.flatMap((most) => keptCells(samples, rule, most))]),
      ['oracle', ...BUDGETS.flatMap((most) => keptCells(samples, undefined, most))],
    ],
  }
}

function keptCells(samples: readonly Sample[], rule: BlockRule | undefined, most: number): Cell[] {
  const counts = samples.map((sample) => {
    const { situation, used } = sample
    const kept = rule?.keep(situation, most) ?? highest(situation, shortFirst(used), most)
    return keptIn(sample, kept)
  })
  const sum = (key: keyof ReturnType<typeof keptIn>) => counts.reduce((total, count) => total + count[key], 0)
  const share = (part: number, whole: number) => (whole === 0 ? 0 : (100 * part) / whole)
  const blocksPercent = share(sum('blocks'), sum('ofBlocks'))
  return [rounded((1_000 * blocksPercent) / most, 2), rounded(share(sum('served'), sum('ofUses')))]
}

function shortFirst<T extends { readonly tokens: number }>(used: ReadonlySet<T>): (block: T) => number {
  return (block) => (used.has(block) ? 1 / block.tokens : -1)
}

type Setting = { readonly name: string; readonly policy: PolicyPatch; readonly blocks?: BlockChoice }

function policy(trigger: number, target: number, keepTokens = 20_000): PolicyPatch {
  return { triggerMaxTokens: trigger, targetMaxTokens: target, keepTokens }
}

function kept(rule: BlockRule | undefined, most: number): BlockChoice {
  if (rule === undefined) throw new Error('no such rule')
  return { mostLines: MOST_LINES, choose: (situation) => rule.keep(situation, most) }
}

/** Knows what is used later, and keeps exactly that. */
const ORACLE: BlockChoice = {
  mostLines: MOST_LINES,
  afterMasks: true,
  choose(situation, uses) {
    const { said, shownWords, candidates } = situation
    const needed = pendingUses(uses, said, Number.POSITIVE_INFINITY).filter(
      ({ words }) => words === undefined || !words.every((word) => shownWords.has(word)),
    )
    const used = new Set(needed.flatMap((use) => blocksFor(use, candidates)))
    return highest(situation, shortFirst(used), Number.POSITIVE_INFINITY)
  },
}

const NEWEST = BLOCK_RULES.find(({ name }) => name === 'newest first')

/** The default first; then blocks alone, with a smaller target, a shorter tail and an earlier trigger. */
const SETTINGS: readonly Setting[] = [
  { name: 'default', policy: {} },
  { name: 'default, likely names 4,000', policy: {}, blocks: kept(LIKELY_NAMES, 4_000) },
  { name: '110,000 → 48,000, likely names 2,000', policy: policy(110_000, 48_000), blocks: kept(LIKELY_NAMES, 2_000) },
  { name: '100,000 → 32,000, likely names 3,000', policy: policy(100_000, 32_000), blocks: kept(LIKELY_NAMES, 3_000) },
  { name: '80,000 → 32,000', policy: policy(80_000, 32_000) },
  { name: '80,000 → 32,000, newest first 4,000', policy: policy(80_000, 32_000), blocks: kept(NEWEST, 4_000) },
  { name: '80,000 → 32,000, likely names 3,000', policy: policy(80_000, 32_000), blocks: kept(LIKELY_NAMES, 3_000) },
  { name: '80,000 → 32,000, likely names 4,000', policy: policy(80_000, 32_000), blocks: kept(LIKELY_NAMES, 4_000) },
  { name: '80,000 → 32,000, oracle', policy: policy(80_000, 32_000), blocks: ORACLE },
  { name: '80,000 → 24,000 (economy)', policy: policy(80_000, 24_000) },
  { name: '80,000 → 24,000, likely names 4,000', policy: policy(80_000, 24_000), blocks: kept(LIKELY_NAMES, 4_000) },
  {
    name: '80,000 → 24,000, tail 8,000, likely names 8,000',
    policy: policy(80_000, 24_000, 8_000),
    blocks: kept(LIKELY_NAMES, 8_000),
  },
  { name: '130,000 → 24,000, likely names 4,000', policy: policy(130_000, 24_000), blocks: kept(LIKELY_NAMES, 4_000) },
  { name: '60,000 → 24,000, likely names 4,000', policy: policy(60_000, 24_000), blocks: kept(LIKELY_NAMES, 4_000) },
  { name: '60,000 → 16,000, tail 2,000, oracle', policy: policy(60_000, 16_000, 2_000), blocks: ORACLE },
  { name: 'tail 30,000, no names', policy: { keepTokens: 30_000, nameTokens: 0 } },
]

function costTable(half: Half, sessions: readonly CostSession[], outcomes: readonly ContenderOutcomes[]): Table {
  const of = ({ bySession }: ContenderOutcomes) => bySession.filter((_, i) => sessions[i]?.half === half)
  const [first, ...others] = outcomes
  const base = first === undefined ? [] : of(first)
  return {
    title: `The ${base.length} sessions for ${half}, window of ${WINDOW.toLocaleString('en')}: each setting against the default`,
    columns: [
      'setting',
      '$ a session',
      'cheaper by %',
      '95 %',
      ...MEASURES.flatMap(({ name }) => [name, 'points, 95 %']),
    ],
    rows: [
      ...(first === undefined ? [] : [costRow(first.name, base, base)]),
      ...others.map((contender) => costRow(contender.name, of(contender), base)),
    ],
  }
}

const MEASURES = [
  { name: 'far references %', of: foundPercent },
  { name: 'edited %', of: editsPercent },
  { name: 'all references %', of: ({ allFound, allReferences }: Outcome) => (100 * allFound) / (allReferences || 1) },
] as const

function costRow(name: string, ours: readonly Outcome[], base: readonly Outcome[]): Cell[] {
  const pairs = ours.flatMap((outcome, i) => (base[i] === undefined ? [] : [{ outcome, base: base[i] }]))
  const interval = (figure: (outcome: Outcome, base: Outcome) => number) =>
    bootstrapOf(pairs, (drawn) => figure(sumOf(drawn.map((one) => one.outcome)), sumOf(drawn.map((one) => one.base))))
  const range = ({ low, high }: { low: number; high: number }) => `${low.toFixed(1)} to ${high.toFixed(1)}`
  const sum = sumOf(ours)
  const cheaper = interval((a, b) => 100 * (1 - a.cost / b.cost))
  return [
    name,
    rounded(sum.cost / sum.sessions, 2),
    cheaper && rounded(cheaper.mean),
    cheaper && range(cheaper),
    ...MEASURES.flatMap(({ of }): Cell[] => {
      const points = interval((a, b) => of(a) - of(b))
      return [rounded(of(sum)), points && range(points)]
    }),
  ]
}

function rounded(value: number, digits = 1): number {
  return Math.round(value * 10 ** digits) / 10 ** digits
}
