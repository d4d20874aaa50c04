import { QUESTION_KINDS, type QuestionKind } from '../../src/eval/kit/kinds.ts'
import { letterOf, shuffled } from '../../src/eval/kit/letters.ts'
import { JUDGING, WRITING } from '../../src/eval/kit/prompts.ts'
import { type ExamQuestion, itemsIn, markIn } from '../../src/eval/kit/read-replies.ts'
import { type Answers, answersTo } from '../../src/eval/kit/reading.ts'
import { type Seated, seated } from '../../src/eval/kit/seats.ts'
import { sessionText } from '../../src/eval/kit/session-text.ts'
import type { Cut } from '../retention/cuts.ts'
import type { SessionQuestion } from '../retention/material.ts'
import type { Context } from './contexts.ts'
import type { Player } from './player.ts'

export type Players = {
  readonly questions: Player
  /** The player of a seat answers from one context of a session. */
  seat(number: number): Player
  readonly judge: Player
}

/** One answer with its mark; the mark is absent if the judge's text could not be read. */
export type Judged = Pick<SessionQuestion, 'session' | 'agent'> & {
  readonly cut: string
  readonly context: Omit<Context, 'text' | 'lookUp'>
  /** The tokens of the definition of `recall` and of what it found, if the player could call it. */
  readonly recalled?: number
  readonly kind: QuestionKind
  readonly mark?: number
  readonly wrong?: string
}

/** Questions first, for all cuts; only then contexts; then answers, each from one context; then marks under letters. */
export async function continuation(
  cuts: readonly SessionQuestion[],
  players: Players,
  contextsOf: (cut: Cut) => Promise<readonly Context[]>,
): Promise<Judged[]> {
  const papers = await Promise.all(cuts.map((about) => paperOf(about, players.questions)))
  // All at once, so that a person who answers in a folder sees all requests.
  const tasks = await Promise.all(
    papers.map(async (paper) => (await contextsOf(paper.about.cut)).map((context) => taskOf(paper, context))),
  )
  const answers = await Promise.all(
    seatedByTool(tasks.flat()).map(({ task, seat }) => answered(task, players.seat(seat))),
  )
  const judged = await Promise.all(
    papers.flatMap((paper) => {
      const given = answers.filter(({ task }) => task.paper === paper)
      if (given.length === 0) return []
      return paper.items.map((item, i) => marked(item, shuffled(given, paper.seed + i), players.judge))
    }),
  )
  return judged.flat()
}

type Paper = { readonly about: SessionQuestion; readonly items: readonly ExamQuestion[]; readonly seed: number }

async function paperOf(about: SessionQuestion, writer: Player): Promise<Paper> {
  const { cut } = about
  const prompt = sessionText(cut)
  const text = await writer.ask({ about: `questions at ${cut.name}`, system: WRITING, prompt })
  return { about, items: itemsIn(text), seed: prompt.length }
}

type Task = { readonly session: string; readonly paper: Paper; readonly context: Context }

function taskOf(paper: Paper, context: Context): Task {
  return { session: paper.about.session, paper, context }
}

/** Players who may recall get the last seats, so that the other seats are the same with and without them. */
function seatedByTool(tasks: readonly Task[]): Seated<Task>[] {
  const without = seated(tasks.filter(({ context }) => context.lookUp === undefined))
  const seats = Math.max(0, ...without.map(({ seat }) => seat))
  const others = seated(tasks.filter(({ context }) => context.lookUp !== undefined))
  return [...without, ...others.map(({ task, seat }) => ({ task, seat: seats + seat }))]
}

type Answer = Answers & { readonly task: Task }

async function answered(task: Task, player: Player): Promise<Answer> {
  const { session, paper, context } = task
  const about = `answers at ${paper.about.cut.name}`
  const reading = { about, session, context: context.text, items: paper.items, recall: context.lookUp }
  const answers = await answersTo(reading, (ask) => player.ask(ask))
  if (answers === undefined) throw new Error(`${player.name} gave no ${about}`)
  return { task, ...answers }
}

async function marked(
  { kind, question, truth }: ExamQuestion,
  answers: readonly Answer[],
  judge: Player,
): Promise<Judged[]> {
  const lettered = answers.map((answer, i) => ({ ...answer, letter: letterOf(i) }))
  const shown = lettered.map(
    ({ letter, parts }) => `<answer ${letter}>\n${parts[kind] || '(no answer)'}\n</answer ${letter}>`,
  )
  const text = await judge.ask({
    about: `${kind} at ${answers[0]?.task.paper.about.cut.name}`,
    system: JUDGING,
    prompt: `Asked is ${QUESTION_KINDS[kind]}.\n\nQuestion: ${question}\n\n<truth>\n${truth}\n</truth>\n\n${shown.join('\n\n')}`,
  })
  return lettered.map(({ letter, task: { paper, context }, recallTokens }) => {
    const { text: _, lookUp: __, ...about } = context
    const { session, agent, cut } = paper.about
    const more = recallTokens === undefined ? {} : { recalled: recallTokens }
    return { session, agent, cut: cut.name, context: about, ...more, kind, ...markIn(text, letter) }
  })
}
