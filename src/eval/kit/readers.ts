import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf, PithError } from '../../model/problems/errors.ts'
import type { Message } from '../../model/types.ts'
import type { Compactor } from '../compactor.ts'
import { cutsIn, type EvalLimits, type EvalSession, type EvalSettings, hashOfSession, play } from '../play.ts'
import { messageShown } from '../truth/needed.ts'
import { type Ask, openRequestFolder, type RequestFolder } from './exchange.ts'
import { QUESTION_KINDS, type QuestionKind } from './kinds.ts'
import { letterOf, shuffled } from './letters.ts'
import { JUDGING, WRITING } from './prompts.ts'
import { type ExamQuestion, itemsIn, markIn } from './read-replies.ts'
import { type Answers, answersTo, type ReaderContext } from './reading.ts'
import { seated, seatRoom } from './seats.ts'
import { sessionText } from './session-text.ts'

/** A mark of one judge for one answer. */
export type ReaderMark = {
  readonly session: string
  readonly compactor: string
  readonly kind: QuestionKind
  readonly judge: number
  readonly mark: number
  readonly contextTokens: number
  /** The tokens of the definition of `recall` and of all that it found; absent if the reader could not call it. */
  readonly recallTokens?: number | undefined
}

/** Either the number of answers that are missing in each folder, or all marks. */
export type ReadersOutcome =
  | { readonly stage: 'questions' | 'answers' | 'marks'; readonly missing: ReadonlyMap<string, number> }
  | { readonly stage: 'done'; readonly marks: readonly ReaderMark[]; readonly unread: readonly string[] }

export type ReadersRun = {
  readonly folder: string
  /** Sessions that are long enough for all rounds: read is the context after the last one. */
  readonly sessions: readonly EvalSession[]
  readonly compactors: readonly Compactor[]
  readonly settings: EvalSettings
  readonly judges: number
  /** True if the contexts of compactors with a recall are read a second time, by readers who may call it. */
  readonly withRecall: boolean
  progress(line: string): void
} & EvalLimits

/**
 * Goes as far as the answers allow: questions for all sessions first; then the contexts after the last compaction, dealt to seats of which none
 * gets two contexts of a session; then marks by every judge, under letters in another order each time. It never asks twice.
 */
export async function runReaders(run: ReadersRun): Promise<ReadersOutcome> {
  const desk = new Desk()
  const room = (name: string) => join(run.folder, name)
  const papers = run.sessions.map((session): Paper => {
    const cuts = cutsIn(session, run.settings)
    const at = cuts.at(-1)
    const span = session.messages.slice(0, at).map((message, i) => ({ seq: i + 1, message }))
    const prompt = sessionText({ span, after: session.messages.slice(at) })
    const text = desk.ask(room('questions'), { about: `questions about ${session.name}`, system: WRITING, prompt })
    const items = text === undefined ? [] : itemsIn(text)
    if (text !== undefined && items.length === 0)
      throw new PithError('bad-argument', `no question about ${session.name} can be read in ${room('questions')}`)
    return { session, cuts, items }
  })
  if (desk.missing.size > 0) return { stage: 'questions', missing: desk.missing }
  const tasks = await tasksOf(run, papers)
  const answers: Answer[] = []
  for (const { task, seat } of seated(tasks)) {
    const reading = { ...task, about: `answers about ${task.session}`, items: task.paper.items }
    const reply = await answersTo(reading, (ask) => desk.ask(room(seatRoom(seat)), ask))
    if (reply !== undefined) answers.push({ task, ...reply })
  }
  if (desk.missing.size > 0) return { stage: 'answers', missing: desk.missing }
  const marks: ReaderMark[] = []
  const unread: string[] = []
  for (const [i, paper] of papers.entries())
    for (const [k, item] of paper.items.entries())
      for (let judge = 1; judge <= run.judges; judge++) {
        const own = answers.filter(({ task }) => task.paper === paper)
        const lettered = shuffled(own, i * 1_000 + k * 10 + judge)
        const text = desk.ask(room(`judge-${judge}`), {
          about: `${item.kind} at ${paper.session.name}`,
          system: JUDGING,
          prompt: judgePrompt(item, lettered),
        })
        for (const [at, { task, recallTokens }] of lettered.entries()) {
          const mark = text === undefined ? undefined : markIn(text, letterOf(at))?.mark
          const { session, name: compactor, contextTokens } = task
          if (mark === undefined) unread.push(`${letterOf(at)} in judge-${judge}, ${item.kind} at ${session}`)
          else marks.push({ session, compactor, kind: item.kind, judge, mark, contextTokens, recallTokens })
        }
      }
  return desk.missing.size > 0 ? { stage: 'marks', missing: desk.missing } : { stage: 'done', marks, unread }
}

type Paper = Pick<ReaderContext, 'items'> & { readonly session: EvalSession; readonly cuts: readonly number[] }
type Made = { readonly context: string; readonly contextTokens: number; readonly state?: unknown }
/** A context for one reader; the name is the compactor's, and says if the reader may recall. */
type Task = Made & Pick<ReaderContext, 'session' | 'recall'> & { readonly paper: Paper; readonly name: string }
type Answer = Answers & { readonly task: Task }

/** The contexts are written down once: a compactor with a model would make others the next time. */
async function tasksOf(
  { folder, compactors, settings, withRecall, progress, ...limits }: ReadersRun,
  papers: readonly Paper[],
): Promise<Task[]> {
  const path = join(folder, 'contexts.json')
  const kept: Record<string, Made> = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  const tasks: Task[] = []
  for (const paper of papers)
    for (const compactor of compactors) {
      const key = `${hashOfSession(paper.session)} ${Object.values(settings).join(' ')} ${compactor.name} ${compactor.from}`
      if (kept[key] === undefined) {
        progress(`${compactor.name}: ${paper.session.name}`)
        const { rounds } = await play(paper.session, paper.cuts, compactor, settings, limits)
        const failed = rounds.find(({ failure }) => failure !== undefined)
        if (failed !== undefined)
          throw new PithError(
            'bad-argument',
            `${compactor.name} failed in ${paper.session.name}, compaction ${failed.round}: ${failed.failure}`,
          )
        const { context = [], tokens = 0, state } = rounds.at(-1) ?? {}
        kept[key] = { context: shownAll(context), contextTokens: tokens, state }
        writeFileSync(path, `${JSON.stringify(kept, null, 1)}\n`)
      }
      const task: Task = { ...kept[key], session: paper.session.name, paper, name: compactor.name }
      tasks.push(task)
      const { recall } = compactor
      if (!withRecall || recall === undefined) continue
      const messages = paper.session.messages.slice(0, paper.cuts.at(-1))
      const about = { session: hashOfSession(paper.session), messages, state: task.state }
      const broken = (error: unknown) => {
        const why = messageOf(error).split('\n')[0]
        throw new PithError('bad-argument', `the recall of ${compactor.name} failed in ${task.session}: ${why}`)
      }
      const find = async (asked: string) => recall(asked, about)
      tasks.push({ ...task, name: `${compactor.name} with recall`, recall: (asked) => find(asked).catch(broken) })
    }
  return tasks
}

function shownAll(messages: readonly Message[]): string {
  return messages.map((message) => `[${message.role}]\n${messageShown(message)}`).join('\n\n')
}

function judgePrompt({ kind, question, truth }: ExamQuestion, answers: readonly Answer[]): string {
  const shown = answers.map(
    ({ parts }, at) => `<answer ${letterOf(at)}>\n${parts[kind] || '(no answer)'}\n</answer ${letterOf(at)}>`,
  )
  return `Asked is ${QUESTION_KINDS[kind]}.\n\nQuestion: ${question}\n\n<truth>\n${truth}\n</truth>\n\n${shown.join('\n\n')}`
}

/** Asks in folders, one for each player, and counts in each how many requests have no answer yet. */
class Desk {
  readonly #rooms = new Map<string, RequestFolder>()
  readonly missing = new Map<string, number>()

  ask(folder: string, ask: Ask): string | undefined {
    const room = this.#rooms.get(folder) ?? openRequestFolder(folder)
    this.#rooms.set(folder, room)
    const answer = room.answerOf(room.put(ask))
    if (answer === undefined) this.missing.set(folder, (this.missing.get(folder) ?? 0) + 1)
    return answer
  }
}
