import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PithError } from '../../model/problems/errors.ts'
import type { Message } from '../../model/types.ts'
import type { Compactor } from '../compactor.ts'
import { cutsIn, type EvalLimits, type EvalSession, type EvalSettings, hashOfSession, play } from '../play.ts'
import { messageShown } from '../probes/shown.ts'
import { openRequestFolder, type RequestFolder } from './exchange.ts'
import { QUESTION_KINDS, type QuestionKind } from './kinds.ts'
import { letterOf, shuffled } from './letters.ts'
import type { Ask } from './player.ts'
import { ANSWERING, JUDGING, MOST_WISHES, RECALLING, WRITING } from './prompts.ts'
import { answersIn, type ExamQuestion, itemsIn, markIn, wishesIn } from './read-replies.ts'
import { seated, seatRoom } from './seats.ts'
import { sessionText } from './session-text.ts'

/** A mark of one judge for one answer. */
export type ReaderMark = {
  readonly session: string
  readonly compactor: string
  readonly kind: QuestionKind
  readonly judge: number
  readonly mark: number
}

/** Either the folders that wait for answers, or all marks. */
export type ReadersOutcome =
  | {
      readonly stage: 'questions' | 'answers' | 'marks'
      readonly waiting: readonly { readonly folder: string; readonly missing: number }[]
    }
  | { readonly stage: 'done'; readonly marks: readonly ReaderMark[]; readonly unread: number }

export type ReadersRun = {
  readonly folder: string
  readonly sessions: readonly EvalSession[]
  readonly compactors: readonly Compactor[]
  readonly settings: EvalSettings
  readonly judges: number
  readonly withRecall: boolean
  progress(line: string): void
} & EvalLimits

/**
 * Goes as far as the answers allow: questions for all sessions first; then the contexts after the last compaction, dealt to seats of which none
 * sees a session twice; then marks by every judge, under letters in another order each time. It never asks twice.
 */
export async function runReaders(run: ReadersRun): Promise<ReadersOutcome> {
  const desk = new Desk(run.folder)
  const papers = run.sessions.flatMap((session): Paper[] => {
    const cuts = cutsIn(session, run.settings)
    const at = cuts.at(-1)
    if (at === undefined) return []
    const span = session.messages.slice(0, at).map((message, i) => ({ seq: i + 1, message }))
    const prompt = sessionText({ span, after: session.messages.slice(at) })
    const text = desk.ask('questions', { about: `questions about ${session.name}`, system: WRITING, prompt })
    return [{ session, cuts, items: text === undefined ? [] : itemsIn(text) }]
  })
  if (desk.isWaiting) return { stage: 'questions', waiting: desk.waiting() }
  const tasks = await tasksOf(run, papers)
  const answers: Answer[] = []
  for (const { task, seat } of seated(tasks)) {
    const text = await answered(task, (ask) => desk.ask(seatRoom(seat), ask), run.withRecall)
    if (text !== undefined) answers.push({ task, parts: answersIn(text) })
  }
  if (desk.isWaiting) return { stage: 'answers', waiting: desk.waiting() }
  const marks: ReaderMark[] = []
  let unread = 0
  for (const [i, paper] of papers.entries())
    for (const [k, item] of paper.items.entries())
      for (let judge = 1; judge <= run.judges; judge++) {
        const own = answers.filter(({ task }) => task.paper === paper)
        const lettered = shuffled(own, i * 1_000 + k * 10 + judge)
        const text = desk.ask(`judge-${judge}`, {
          about: `${item.kind} at ${paper.session.name}`,
          system: JUDGING,
          prompt: judgePrompt(item, lettered),
        })
        for (const [at, { task }] of lettered.entries()) {
          const mark = text === undefined ? undefined : markIn(text, letterOf(at))?.mark
          if (mark === undefined) unread++
          else marks.push({ session: paper.session.name, compactor: task.compactor.name, kind: item.kind, judge, mark })
        }
      }
  return desk.isWaiting ? { stage: 'marks', waiting: desk.waiting() } : { stage: 'done', marks, unread }
}

type Paper = {
  readonly session: EvalSession
  readonly cuts: readonly number[]
  readonly items: readonly ExamQuestion[]
}
type Task = { readonly session: string; readonly paper: Paper; readonly compactor: Compactor; readonly context: string }
type Answer = { readonly task: Task; readonly parts: Readonly<Record<QuestionKind, string>> }

/** The contexts are written down once: a compactor with a model would make others the next time. */
async function tasksOf(
  { folder, compactors, settings, progress, ...limits }: ReadersRun,
  papers: readonly Paper[],
): Promise<Task[]> {
  const path = join(folder, 'contexts.json')
  const kept: Record<string, string> = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  const tasks: Task[] = []
  for (const paper of papers)
    for (const compactor of compactors) {
      const key = `${hashOfSession(paper.session)} ${compactor.name} ${compactor.from}`
      if (kept[key] === undefined) {
        progress(`${compactor.name}: ${paper.session.name}`)
        const { rounds } = await play(paper.session, paper.cuts, compactor, settings, limits)
        const failed = rounds.find(({ failure }) => failure !== undefined)
        if (failed !== undefined)
          throw new PithError(
            'bad-argument',
            `${compactor.name} failed in ${paper.session.name}, compaction ${failed.round}: ${failed.failure}`,
          )
        kept[key] = shownAll(rounds.at(-1)?.context ?? [])
        writeFileSync(path, `${JSON.stringify(kept, null, 1)}\n`)
      }
      tasks.push({ session: paper.session.name, paper, compactor, context: kept[key] })
    }
  return tasks
}

function shownAll(messages: readonly Message[]): string {
  return messages.map((message) => `[${message.role}]\n${messageShown(message)}`).join('\n\n')
}

/** One round to search, and one to read what was found. */
const LOOK_UPS = 2

/** The answer of a reader, after look-ups if they are allowed; undefined if something is still missing. */
async function answered(
  task: Task,
  ask: (one: Ask) => string | undefined,
  withRecall: boolean,
): Promise<string | undefined> {
  const { paper, context, compactor, session } = task
  const questions = paper.items.map(({ kind, question }) => `${kind}: ${question}`).join('\n')
  const known = `<context>\n${context}\n</context>`
  const messages = paper.session.messages.slice(0, paper.cuts.at(-1))
  const mayRecall = withRecall && compactor.recall !== undefined
  let found = ''
  for (let round = 0; mayRecall && round < LOOK_UPS; round++) {
    const first = round === 0 ? { session } : {}
    const text = ask({
      about: `recall about ${session}`,
      ...first,
      system: RECALLING,
      prompt: `${known}\n\n${found}${questions}`,
    })
    if (text === undefined) return undefined
    const wishes = wishesIn(text).slice(0, MOST_WISHES)
    for (const wish of wishes)
      found += `<recalled wish=${JSON.stringify(wish)}>\n${await compactor.recall?.(wish, { session, messages })}\n</recalled>\n\n`
    if (wishes.length === 0) break
  }
  const own = mayRecall ? {} : { session }
  return ask({
    about: `answers about ${session}`,
    ...own,
    system: ANSWERING,
    prompt: `${known}\n\n${found}${questions}`,
  })
}

function judgePrompt({ kind, question, truth }: ExamQuestion, answers: readonly Answer[]): string {
  const shown = answers.map(
    ({ parts }, at) => `<answer ${letterOf(at)}>\n${parts[kind] || '(no answer)'}\n</answer ${letterOf(at)}>`,
  )
  return `Asked is ${QUESTION_KINDS[kind]}.\n\nQuestion: ${question}\n\n<truth>\n${truth}\n</truth>\n\n${shown.join('\n\n')}`
}

/** The folders of requests, and how many in each have no answer yet. */
class Desk {
  readonly #folder: string
  readonly #rooms = new Map<string, RequestFolder>()
  readonly #missing = new Map<string, number>()

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true })
    this.#folder = folder
  }

  ask(room: string, ask: Ask): string | undefined {
    const open = this.#rooms.get(room) ?? openRequestFolder(join(this.#folder, room))
    this.#rooms.set(room, open)
    const answer = open.answerOf(open.put(ask))
    if (answer === undefined) this.#missing.set(room, (this.#missing.get(room) ?? 0) + 1)
    return answer
  }

  get isWaiting(): boolean {
    return this.#missing.size > 0
  }

  waiting(): { readonly folder: string; readonly missing: number }[] {
    return [...this.#missing].map(([room, missing]) => ({ folder: join(this.#folder, room), missing }))
  }
}
