import type { Bench, BenchContext, BenchResult, Table } from '../harness/bench.ts'
import { questionsFor } from './material.ts'
import type { Method } from './methods/method.ts'
import { methodsFor } from './methods/methods.ts'
import { type Question, type Score, scoreOf } from './score.ts'
import { ageTable, linesOf, type Measured, recallTable, rounded } from './tables.ts'
import { type Tally, tallyOf } from './tally.ts'
import { KINDS } from './truth/facts.ts'

const BUDGETS = [16_000, 32_000, 64_000, 128_000] as const

/** A conversation shorter than this many budgets would hardly be compacted. */
const LEAST_TIMES = 1.45

export const recall: Bench = {
  name: 'retention/recall',
  what: 'What a context of so many tokens still shows of what was before it, letter for letter, by kind and age, for each method.',
  run: async (context) => {
    const questions = await questionsFor(context)
    const methods = await methodsFor(context)
    const cells: Cell[] = []
    for (const budget of BUDGETS)
      for (const method of methods) cells.push(await measure(method, budget, questions, context))
    return reportOf(cells, questions)
  },
}

/** One method at one budget, on all cuts and on those where an agent recorded its own summary. */
type Cell = {
  readonly method: string
  readonly budget: number
  readonly scored: readonly Scored[]
  readonly why?: string
}
type Scored = { readonly cut: string; readonly isRecorded: boolean; readonly score: Score }

async function measure(
  method: Method,
  budget: number,
  questions: readonly Question[],
  { progress }: BenchContext,
): Promise<Cell> {
  const scored: Scored[] = []
  let why: string | undefined
  for (const question of questions.filter(({ cut }) => cut.tokens >= budget * LEAST_TIMES)) {
    const { cut } = question
    progress(`${budget / 1_000}k ${method.name}: ${cut.name}`)
    const made = await method.run(cut, budget)
    if (made.ok)
      scored.push({ cut: cut.name, isRecorded: cut.recorded !== undefined, score: scoreOf(question, made.messages) })
    else why = made.why
  }
  return { method: method.name, budget, scored, ...(why === undefined ? {} : { why }) }
}

function reportOf(cells: readonly Cell[], questions: readonly Question[]): BenchResult {
  const at = (budget: number, use: (scored: Scored) => boolean): Measured[] =>
    cells.filter((cell) => cell.budget === budget).map((cell) => measuredOf(cell, use))
  const all = BUDGETS.map((budget) => ({
    budget,
    measured: at(budget, () => true).filter(({ method }) => !RECORDED.test(method)),
  }))
  const recorded = BUDGETS.map((budget) => ({ budget, measured: at(budget, ({ isRecorded }) => isRecorded) }))
  const some = all.filter(({ measured }) => measured.some(({ tally }) => tally !== undefined))
  const tables: Table[] = [
    ...some.map(({ budget, measured }) => recallTable(`At most ${budget / 1_000}k tokens`, measured)),
    ...some.map(({ budget, measured }) => ageTable(`By age, at most ${budget / 1_000}k tokens`, measured)),
    ...recorded
      .filter(({ measured }) => measured.some(({ method, tally }) => RECORDED.test(method) && tally !== undefined))
      .map(({ budget, measured }) =>
        recallTable(`Where the agent recorded a summary of its own, at most ${budget / 1_000}k tokens`, measured),
      ),
  ]
  const points = all.flatMap(({ budget, measured }) =>
    measured.map(({ method, tally }) => ({ method, x: budget, y: tally?.mean() })),
  )
  return {
    tables,
    plots: [
      {
        name: 'retention-recall',
        title: 'Facts still shown, mean of the kinds (%)',
        x: { label: 'budget, tokens', scale: 'log' },
        y: { label: '% kept' },
        lines: linesOf(points),
      },
    ],
    notes: [
      ...notesOf(questions),
      ...all.map(({ budget, measured }) => lostRows(budget, measured)).filter((note) => note !== ''),
    ],
    data: cells.map(dataOf),
  }
}

const RECORDED = /recorded/

function measuredOf({ method, scored, why }: Cell, use: (scored: Scored) => boolean): Measured {
  const used = scored.filter(use)
  if (used.length > 0) return { method, tally: tallyOf(used.map(({ score }) => score)) }
  return { method, ...(why === undefined ? {} : { why }) }
}

function dataOf({ method, budget, scored }: Cell) {
  const tally = tallyOf(scored.map(({ score }) => score))
  return {
    method,
    budget,
    tokens: tally.tokens,
    kinds: Object.fromEntries(KINDS.map((kind) => [kind, { all: tally.recall(kind), byAge: agesOf(tally, kind) }])),
    cuts: scored.map(({ cut, score }) => ({
      cut,
      tokens: score.tokens,
      mean: tallyOf([score]).mean(),
      invented: score.invented,
    })),
  }
}

function agesOf(tally: Tally, kind: (typeof KINDS)[number]): (number | undefined)[] {
  return ([1, 2, 3, 4] as const).map((age) => tally.recall(kind, age))
}

/** Kinds in which another method keeps more than Pith at a budget, said as plainly as the rest. */
function lostRows(budget: number, measured: readonly Measured[]): string {
  const [pith, ...others] = measured.filter(({ method }) => method !== 'Pith, long tail')
  const lost = KINDS.flatMap((kind) => {
    const ours = pith?.tally?.recall(kind) ?? 100
    const best = others
      .map(({ method, tally }) => ({ method, share: tally?.recall(kind) ?? 0 }))
      .reduce((most, one) => (one.share > most.share ? one : most), { method: '', share: ours })
    return best.share > ours ? [`${kind} (${rounded(ours)} to ${rounded(best.share)} of ${best.method})`] : []
  })
  return lost.length === 0 ? '' : `At ${budget / 1_000}k another method keeps more of: ${lost.join(', ')}.`
}

function notesOf(questions: readonly Question[]): string[] {
  const facts = questions.reduce((sum, question) => sum + question.facts.length, 0)
  return [
    `${questions.length} cuts, ${facts} facts. A cut counts at a budget when the conversation has at least ${LEAST_TIMES} times as many tokens.`,
    'What was so is found by the names of tools and arguments and a few patterns of the benchmark’s own (bench/retention/truth), not by the engine’s tables. Files that only a shell command touched are not asked about.',
    'A command counts as kept with how its last run ended; a to-do with its last state; a message of the user with its first 1,000 characters. “Used later”: names that the agent used after the cut before anything after it had shown them.',
    'Pith runs without a model. Recorded summaries were written by the agent’s own model at that place; the same newest messages as for tail truncation stand behind them as far as they fit.',
  ]
}
