import { join } from 'node:path'
import { featureEstimator, messagesTokens } from '../../src/engine/index.ts'
import { randomOf } from '../estimator/random.ts'
import type { Bench, BenchContext } from '../harness/bench.ts'
import { questionsFor } from '../retention/material.ts'
import type { Method } from '../retention/methods/method.ts'
import { judgedMethods } from '../retention/methods/methods.ts'
import type { Question } from '../retention/score.ts'
import { textOf } from '../retention/shown.ts'
import type { Player } from './player.ts'
import { playerOf } from './player-of.ts'
import { PROBE_NAMES, PROBES, type Probe } from './probes.ts'
import { ANSWERING, JUDGING } from './prompts.ts'
import { answersIn, type Marks, marksIn } from './read-answers.ts'
import { marksReport } from './report.ts'
import { truthText } from './truth-text.ts'

const BUDGET = 8_000
const CUTS = 6

export const judge: Bench = {
  name: 'judge/probes',
  what: `Four questions at each cut, answered from a context of at most ${BUDGET / 1_000}k tokens and scored 0 to 5 by a judge, the methods under shuffled letters.`,
  run: async (context) => {
    const { model: spec, judge: judgeSpec = spec } = context
    if (spec === undefined || judgeSpec === undefined)
      return {
        tables: [],
        notes: ['Needs a model: `--model URL#name` or `--model folder:DIR`, and `--judge` if another one judges.'],
      }
    const { progress } = context
    const kept = (who: string) => join(import.meta.dirname, '..', 'exchange', who)
    const model = playerOf(spec, { folder: kept('model'), progress })
    const by = playerOf(judgeSpec, { folder: kept('judge'), progress })
    const answers = await answersTo(context, model)
    const scored = await Promise.all(answers.map((asked) => scoredBy(by, asked)))
    return marksReport(scored.flat(), [
      `${playedBy(model, by)}. Cuts: ${answers.length}, four probes each; intervals are bootstrapped over cuts and probes.`,
      ...overBudget(answers),
    ])
  },
}

/** Methods that cannot be told to keep a budget answer from more than the others. */
function overBudget(asked: readonly Asked[]): string[] {
  const over = Map.groupBy(
    asked.flatMap(({ given }) => given).filter(({ tokens }) => tokens > BUDGET * 1.1),
    ({ method }) => method,
  )
  return [...over].map(([method, given]) => {
    const most = Math.max(...given.map(({ tokens }) => tokens))
    return `${method} answered from more than the budget at ${given.length} of ${asked.length} cuts, with up to ${most.toLocaleString('en')} tokens.`
  })
}

function playedBy(model: Player, by: Player): string {
  return model.name === by.name
    ? `Answered and judged by ${by.name}`
    : `Answered by ${model.name}; judged by ${by.name}`
}

/** The answers of all methods at one cut. */
type Asked = { readonly question: Question; readonly given: readonly Given[] }
type Given = { readonly method: string; readonly tokens: number; readonly answers: Readonly<Record<Probe, string>> }

/** One judged answer. */
export type Judged = {
  readonly cut: string
  readonly method: string
  readonly tokens: number
  readonly probe: Probe
  readonly marks?: Marks
}

/** All are asked at once: whoever answers a folder sees all that is to do. */
async function answersTo(context: BenchContext, model: Player): Promise<Asked[]> {
  const questions = chosen(await questionsFor(context), context.quick ? 1 : CUTS)
  const methods = await judgedMethods(context)
  return Promise.all(
    questions.map(async (question) => {
      const given = await Promise.all(methods.map((method) => answered(question, method, model)))
      return { question, given: given.filter((one) => one !== undefined) }
    }),
  )
}

/** Recorded compactions first: only there the agent's own summary can be compared. At most one cut a session. */
function chosen(questions: readonly Question[], most: number): Question[] {
  const isRecorded = ({ cut }: Question) => Number(cut.recorded !== undefined)
  const long = questions.filter(({ cut }) => cut.tokens > 3 * BUDGET)
  const sessions = new Set<string>()
  const first = long
    .toSorted((a, b) => isRecorded(b) - isRecorded(a))
    .filter(({ cut }) => {
      const session = cut.name.replace(/[:@][^:@]*$/, '')
      return !sessions.has(session) && sessions.add(session)
    })
  return first.slice(0, most)
}

async function answered({ cut }: Question, method: Method, model: Player): Promise<Given | undefined> {
  const made = await method.run(cut, BUDGET)
  if (!made.ok) return undefined
  const questions = PROBE_NAMES.map((probe) => `${probe}: ${PROBES[probe]}`).join('\n')
  const shown = made.messages.map((message) => `[${message.role}]\n${textOf(message)}`).join('\n\n')
  const text = await model.ask({
    about: `answers at ${cut.name}`,
    system: ANSWERING,
    prompt: `<context>\n${shown}\n</context>\n\n${questions}`,
  })
  return { method: method.name, tokens: messagesTokens(made.messages, featureEstimator), answers: answersIn(text) }
}

function scoredBy(by: Player, { question, given }: Asked): Promise<Judged[]> {
  const truth = truthText(question)
  const judged = PROBE_NAMES.map(async (probe, i): Promise<Judged[]> => {
    const lettered = shuffled(given, question.facts.length + i).map((one, at) => ({
      ...one,
      letter: LETTERS[at] ?? '',
    }))
    const answers = lettered.map(
      ({ letter, answers }) => `<answer ${letter}>\n${answers[probe] || '(no answer)'}\n</answer ${letter}>`,
    )
    const text = await by.ask({
      about: `${probe} at ${question.cut.name}`,
      system: JUDGING,
      prompt: `Question: ${PROBES[probe]}\n\n<truth>\n${truth}\n</truth>\n\n${answers.join('\n\n')}`,
    })
    return lettered.map(({ method, tokens, letter }) => {
      const marks = marksIn(text, letter)
      return { cut: question.cut.name, method, tokens, probe, ...(marks === undefined ? {} : { marks }) }
    })
  })
  return Promise.all(judged).then((all) => all.flat())
}

const LETTERS = 'ABCDEFGHIJKLMNOP'

function shuffled<T>(all: readonly T[], seed: number): T[] {
  const random = randomOf(seed)
  return all
    .map((one) => ({ one, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one)
}
