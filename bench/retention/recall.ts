import { FACT_KINDS } from '../../src/eval/truth/facts.ts'
import type { Bench, BenchContext, BenchResult, Table } from '../harness/bench.ts'
import { LEAST_TIMES } from './least-times.ts'
import { questionsFor } from './material.ts'
import type { Method } from './methods/method.ts'
import { methodsFor } from './methods/methods.ts'
import { lostRows, notesOf } from './recall-notes.ts'
import { type Question, type Score, scoreOf } from './score.ts'
import { ageTable, linesOf, type Measured, recallTable } from './tables.ts'
import { type Tally, tallyOf } from './tally.ts'

const BUDGETS = [16_000, 32_000, 64_000, 128_000] as const

export const recall: Bench = {
  name: 'retention/recall',
  what: 'The share of facts from before a compaction that a context of a given size still shows, letter for letter, by kind and age, for each method.',
  run: async (context) => {
    const questions = await questionsFor(context)
    const methods = await methodsFor(context)
    const cells: Cell[] = []
    for (const budget of context.budget === undefined ? BUDGETS : [context.budget]) {
      const asked = spread(
        questions.filter(({ cut }) => cut.tokens >= budget * LEAST_TIMES),
        context.cuts,
      )
      for (const method of methods) cells.push(await measure(method, budget, asked, context))
    }
    return reportOf(cells, questions)
  },
}

/** At most `most` of the questions, spread over all of them. */
function spread(questions: readonly Question[], most = questions.length): Question[] {
  return questions.filter(
    (_, i) => Math.floor((i * most) / questions.length) !== Math.floor(((i - 1) * most) / questions.length),
  )
}

/** One method at one budget, on all cuts. */
type Cell = {
  readonly method: string
  readonly budget: number
  readonly scored: readonly Scored[]
  readonly why?: string
}
type Scored = {
  readonly cut: string
  readonly isRecorded: boolean
  readonly heldOut: boolean | undefined
  readonly score: Score
}

async function measure(
  method: Method,
  budget: number,
  questions: readonly Question[],
  { progress }: BenchContext,
): Promise<Cell> {
  progress(`${budget / 1_000}k ${method.name}`)
  // All at once, so that a person who plays the model sees the next request before answering the last.
  const all = await Promise.all(
    questions.map(async (question) => ({ question, made: await method.run(question.cut, budget) })),
  )
  const scored = all.flatMap(({ question, made }): Scored[] => {
    const { cut, heldOut } = question
    const isRecorded = cut.recorded !== undefined
    return made.ok ? [{ cut: cut.name, isRecorded, heldOut, score: scoreOf(question, made.messages) }] : []
  })
  const why = all.flatMap(({ made }) => (made.ok ? [] : [made.why])).at(-1)
  return { method: method.name, budget, scored, ...(why === undefined ? {} : { why }) }
}

function reportOf(cells: readonly Cell[], questions: readonly Question[]): BenchResult {
  const budgets = [...new Set(cells.map(({ budget }) => budget))]
  const at = (budget: number, use: (scored: Scored) => boolean): Measured[] =>
    cells.filter((cell) => cell.budget === budget).map((cell) => measuredOf(cell, use))
  const all = budgets.map((budget) => ({
    budget,
    measured: at(budget, () => true).filter(({ method }) => !RECORDED.test(method)),
  }))
  const recorded = budgets.map((budget) => ({ budget, measured: at(budget, ({ isRecorded }) => isRecorded) }))
  const measurable = all.filter(({ measured }) => measured.some(({ tally }) => tally !== undefined))
  const tables: Table[] = [
    ...measurable.map(({ budget, measured }) => recallTable(`At most ${budget / 1_000}k tokens`, measured)),
    ...splitTable(
      measurable.map(({ budget }) => budget),
      cells,
    ),
    ...measurable.map(({ budget, measured }) => ageTable(`By age, at most ${budget / 1_000}k tokens`, measured)),
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

/** Pith on the sessions that it was tuned on beside those that were held out. */
function splitTable(budgets: readonly number[], cells: readonly Cell[]): Table[] {
  const sides = [
    { side: 'tuned on', heldOut: false },
    { side: 'held out', heldOut: true },
  ]
  const measured = budgets.flatMap((budget) =>
    sides.flatMap(({ side, heldOut }) => {
      const cell = cells.find((one) => one.method === 'Pith' && one.budget === budget)
      const used = cell?.scored.filter((scored) => scored.heldOut === heldOut) ?? []
      const tally = tallyOf(used.map(({ score }) => score))
      return used.length === 0 ? [] : [{ method: `${budget / 1_000}k, ${side}`, tally }]
    }),
  )
  return measured.length === 0 ? [] : [recallTable('Pith on sessions that it was tuned on, and on others', measured)]
}

function measuredOf({ method, budget, scored, why }: Cell, use: (scored: Scored) => boolean): Measured {
  const used = scored.filter(use)
  const over = used.filter(({ score }) => score.tokens > budget).length
  if (used.length > 0) return { method, over, tally: tallyOf(used.map(({ score }) => score)) }
  return { method, ...(why === undefined ? {} : { why }) }
}

function dataOf({ method, budget, scored }: Cell) {
  const tally = tallyOf(scored.map(({ score }) => score))
  return {
    method,
    budget,
    tokens: tally.tokens,
    kinds: Object.fromEntries(
      FACT_KINDS.map((kind) => [kind, { all: tally.recall(kind), byAge: agesOf(tally, kind) }]),
    ),
    cuts: scored.map(({ cut, score }) => ({
      cut,
      tokens: score.tokens,
      mean: tallyOf([score]).mean(),
      invented: score.invented,
    })),
  }
}

function agesOf(tally: Tally, kind: (typeof FACT_KINDS)[number]): (number | undefined)[] {
  return ([1, 2, 3, 4] as const).map((age) => tally.recall(kind, age))
}
