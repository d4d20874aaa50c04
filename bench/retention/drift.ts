import { type Entry, featureEstimator, logOf, type Message, messageTokens, nextEntry } from '../../src/engine.ts'
import type { Bench, BenchContext } from '../harness/bench.ts'
import { LEAST_TIMES } from './least-times.ts'
import { questionsFor } from './material.ts'
import { conversationOf } from './methods/conversation.ts'
import type { Conversation, Method } from './methods/method.ts'
import { withoutModel } from './methods/methods.ts'
import { type Question, type Score, scoreOf } from './score.ts'
import { linesOf, rounded } from './tables.ts'
import { tallyOf } from './tally.ts'

const CYCLES = [1, 3, 5, 10] as const
/** The tokens of a session divided by its budget: enough that even the tenth compaction has something to compact. */
const TIMES = 7.5
const LEAST_TOKENS = 60_000

export const drift: Bench = {
  name: 'retention/drift',
  what: `The facts that are left after a session was compacted 1, 3, 5 and 10 times on its way, each time to the same ${(100 / TIMES).toFixed(0)} % of its tokens.`,
  run: async (context) => {
    const questions = (await questionsFor(context)).filter(
      ({ cut }) => cut.tokens >= LEAST_TOKENS && cut.span.length === cut.before.length,
    )
    const rows: Row[] = []
    for (const method of withoutModel)
      for (const cycles of CYCLES) rows.push(await measure(method, cycles, questions, context))
    return {
      tables: [
        {
          title: `Facts still shown, mean of the kinds (%), ${questions.length} cuts`,
          columns: [
            'method',
            'cycles',
            'compactions',
            'tokens',
            'all',
            'oldest quarter',
            'files edited',
            'user messages',
            'commands',
            'stale',
            'invented',
          ],
          rows: rows.map(cellsOf),
        },
      ],
      plots: [
        {
          name: 'retention-drift',
          title: 'Facts still shown, by the number of compactions (%)',
          x: { label: 'compactions' },
          y: { label: '% kept' },
          lines: linesOf(rows.map(({ method, cycles, scores }) => ({ method, x: cycles, y: tallyOf(scores).mean() }))),
        },
      ],
      notes: [
        `A session fills the budget first; the rest of it comes in equal parts, with a compaction after each that brings the context to ${LEAST_TIMES} budgets: a method that leaves less needs fewer of them.`,
        'After the last part there is a compaction in any case. If that part was small, the target of Pith’s policy goes down with its trigger: its contexts after ten cycles are smaller than the budget allows.',
      ],
      data: rows.map(({ method, cycles, scores }) => ({ method, cycles, mean: tallyOf(scores).mean() })),
    }
  },
}

type Row = {
  readonly method: string
  readonly cycles: number
  readonly scores: readonly Score[]
  /** The mean number of compactions of a session. */
  readonly compactions: number
}

function cellsOf({ method, cycles, scores, compactions }: Row) {
  const tally = tallyOf(scores)
  const shares = [
    tally.mean(),
    tally.mean(1),
    tally.recall('edited file'),
    tally.recall('user message'),
    tally.recall('command'),
  ]
  return [
    method,
    cycles,
    rounded(compactions),
    Math.round(tally.tokens),
    ...[...shares, tally.stale, tally.invented].map(rounded),
  ]
}

async function measure(
  method: Method,
  cycles: number,
  questions: readonly Question[],
  { progress }: BenchContext,
): Promise<Row> {
  const scores: Score[] = []
  let all = 0
  for (const question of questions) {
    progress(`${method.name}, ${cycles} cycles: ${question.cut.name}`)
    const { messages, compactions } = await compactedOver(method, question.cut, cycles)
    scores.push(scoreOf(question, messages))
    all += compactions
  }
  return { method: method.name, cycles, scores, compactions: all / (questions.length || 1) }
}

/** The context after `cycles` compactions on the way, or fewer if a method needs fewer. */
export async function compactedOver(
  method: Method,
  { before, tokens }: Pick<Conversation, 'before' | 'tokens'>,
  cycles: number,
): Promise<{ readonly messages: readonly Message[]; readonly compactions: number }> {
  const budget = Math.floor(tokens / TIMES)
  const [first = [], ...parts] = partsOf(before, cycles, budget)
  let talk = conversationOf(logOf(first))
  let compactions = 0
  for (const [i, part] of parts.entries()) {
    talk = longer(talk, part)
    if (i < parts.length - 1 && talk.tokens < budget * LEAST_TIMES) continue
    const made = await method.run(talk, budget)
    if (!made.ok) continue
    talk = conversationOf(made.log ?? logOf(made.messages))
    compactions++
  }
  return { messages: talk.before, compactions }
}

function longer({ log }: Conversation, messages: readonly Message[]): Conversation {
  const entries: Entry[] = [...log]
  for (const message of messages) entries.push(nextEntry(entries, { type: 'message', message }))
  return conversationOf(entries)
}

/** A first part that fills the budget, and the rest in parts of equal size; no part begins with a result. */
function partsOf(messages: readonly Message[], count: number, budget: number): Message[][] {
  const sizes = messages.map((message) => messageTokens(message, featureEstimator))
  const whole = sizes.reduce((sum, tokens) => sum + tokens, 0)
  const ends = Array.from({ length: count + 1 }, (_, i) => budget + ((whole - budget) * i) / count)
  const parts: Message[][] = ends.map(() => [])
  let sum = 0
  let part = 0
  for (const [i, message] of messages.entries()) {
    sum += sizes[i] ?? 0
    if (message.role !== 'tool') while (part < count && sum > (ends[part] ?? whole)) part++
    parts[part]?.push(message)
  }
  return parts
}
