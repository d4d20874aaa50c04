import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { AskPermission, PermissionAnswer } from '../../agent/permissions/permission-gate.ts'
import { requestNote } from '../../agent/permissions/rule.ts'
import type { PermissionRequest } from '../../agent/tool.ts'
import type { WireWork } from '../../contract/shapes/shapes.ts'
import type { EventData } from '../../contract/shapes/wire-events.ts'
import { messageSchema } from '../../model/message-schema.ts'
import type { UserMessage } from '../../model/types.ts'
import type { SessionId, Store } from '../../store/store.ts'
import { runningOf, type WorkList } from './work-list.ts'

/** A permission question that a turn asks the reader of its events; its target is a path or a command. */
type TurnQuestion = Omit<EventData<'question'>, 'session_id'>

export type QuestionNews =
  | { readonly type: 'question'; readonly question: TurnQuestion }
  | { readonly type: 'question-closed'; readonly id: string }

/** Allows a request once or in this session, or denies it with a text for the agent. Permanent rules are set on the server. */
type QuestionAnswer = {
  readonly allow: boolean
  readonly in_session?: boolean | undefined
  readonly text?: string | undefined
}

const NOBODY: QuestionAnswer = { allow: false, text: 'nobody is there to ask any more. Go on without it.' }

/** The questions that turns of this process wait for. */
export class PermissionQuestions {
  /** The keys contain the session, so that nobody can answer for a session of another owner. */
  readonly #open = new Map<string, (answer: QuestionAnswer) => void>()

  get isAsking(): boolean {
    return this.#open.size > 0
  }

  /** Answers a question; false when this process has no such open question. */
  answer(session: string, id: string, answer: QuestionAnswer): boolean {
    const resolve = this.#open.get(keyOf(session, id))
    resolve?.(answer)
    return resolve !== undefined
  }

  /** Asks a reader. When the reader disconnects, its questions are denied. */
  asker(session: string, send: (news: QuestionNews) => void, gone: AbortSignal): AskPermission {
    return async (request, toolCallId, signal, task) => {
      const question = { ...questionOf(request, toolCallId), task }
      const { promise, resolve } = Promise.withResolvers<QuestionAnswer>()
      const leave = () => resolve(NOBODY)
      const key = keyOf(session, question.id)
      this.#open.set(key, resolve)
      for (const each of [gone, signal]) each.addEventListener('abort', leave, { once: true })
      if (gone.aborted || signal.aborted) leave()
      else send({ type: 'question', question })
      const answer = await promise
      this.#open.delete(key)
      for (const each of [gone, signal]) each.removeEventListener('abort', leave)
      send({ type: 'question-closed', id: question.id })
      return permissionOf(answer)
    }
  }
}

function keyOf(session: string, id: string): string {
  return `${session}\n${id}`
}

function questionOf(request: PermissionRequest, toolCallId: string): TurnQuestion {
  const of = { id: randomUUID(), tool_call_id: toolCallId, action: request.kind }
  if (request.kind === 'command')
    return { ...of, target: request.command, outside: request.outside ?? false, note: requestNote(request) }
  if (request.kind === 'tool') return { ...of, target: `${request.tool} ${request.input}`, outside: false }
  const { path: target, outside } = request
  return { ...of, target, outside, diff: request.kind === 'edit' ? request.diff : undefined }
}

function permissionOf({ allow, in_session, text = '' }: QuestionAnswer): PermissionAnswer {
  if (!allow) return { kind: 'tell', text }
  return { kind: in_session === true ? 'session' : 'once' }
}

/** The signal that brings the answer to a question to the process that asks. */
const ANSWER = 'answer'
const answerSchema = z.object({
  question: z.string(),
  allow: z.boolean(),
  in_session: z.boolean().optional(),
  text: z.string().optional(),
})

/** Answers a question of a turn, whichever process runs it. False when nobody asks. */
export async function answerQuestion(
  { questions, store }: { readonly questions: PermissionQuestions; readonly store: Store },
  session: string,
  question: string,
  answer: QuestionAnswer,
): Promise<boolean> {
  if (questions.answer(session, question, answer)) return true
  const holder = (await store.lease(session))?.holder
  if (holder === undefined || runningOf(holder).kind !== 'turn') return false
  await store.sendSignal({ session, kind: ANSWER, body: JSON.stringify({ question, ...answer }) })
  return true
}

/** Listens for answers that other processes received. Returns a function that stops it. */
export function hearAnswers(store: Store, questions: PermissionQuestions): () => void {
  return store.receiveSignals(({ session, kind, body }) => {
    if (kind !== ANSWER) return false
    const { question, ...answer } = answerSchema.parse(JSON.parse(body))
    return questions.answer(session, question, answer)
  })
}

type SteeredTurn = { readonly id: string; readonly take: (message: UserMessage) => void }

/** The turns of this process that take messages while they run. */
export class Steering {
  readonly #open = new Map<SessionId, SteeredTurn>()

  /** Lets a turn take messages. Returns a function that ends it. */
  open(session: SessionId, turn: SteeredTurn): () => void {
    this.#open.set(session, turn)
    return () => {
      if (this.#open.get(session) === turn) this.#open.delete(session)
    }
  }

  /** Gives a message to the running turn of a session, if it is the one with this id; false when this process runs none. */
  give(session: SessionId, message: UserMessage, id?: string): boolean {
    const turn = this.#open.get(session)
    if (turn === undefined || (id !== undefined && turn.id !== id)) return false
    turn.take(message)
    return true
  }
}

/** The signal by which one process asks another to end its work. Its body is the id of the work. */
const CANCEL = 'cancel'

/** Ends work of this process when another process asks for it. Returns a function that stops listening. */
export function obeyCancels(store: Store, workList: WorkList): () => void {
  return store.receiveSignals(({ kind, body: id }) => {
    if (kind !== CANCEL || !workList.running.some((work) => work.id === id)) return false
    void workList.cancel(id)
    return true
  })
}

const WAIT_MS = 5_000
const CHECK_MS = 50

/** Ends the turn or the compaction of a session, whichever process runs it, and waits for its end. */
export async function cancelWork(
  { workList, store }: { readonly workList: WorkList; readonly store: Store },
  session: string,
  kind: WireWork['kind'],
): Promise<{ readonly cancelled: boolean; readonly id?: string }> {
  const own = workList.running.find((work) => work.session === session && work.kind === kind)
  if (own !== undefined) return { cancelled: await workList.cancel(own.id), id: own.id }
  const holder = (await store.lease(session))?.holder
  const running = holder === undefined ? undefined : runningOf(holder)
  if (running === undefined || running.kind !== kind) return { cancelled: false }
  await store.sendSignal({ session, kind: CANCEL, body: running.id })
  const until = Date.now() + WAIT_MS
  while (Date.now() < until) {
    if ((await store.lease(session))?.holder !== holder) return { cancelled: true, id: running.id }
    await new Promise((resolve) => setTimeout(resolve, CHECK_MS))
  }
  return { cancelled: false, id: running.id }
}

/** The signal that brings a message to the process whose turn runs. */
const STEER = 'steer'
const steerSchema = z.object({ turn: z.string(), message: messageSchema })

type SteerDeps = {
  readonly steering: Steering
  readonly workList: WorkList
  readonly store: Store
}

/** The result of steering. `queued`: the message was sent to another process, whose turn may have ended. */
export type Steered = { readonly steered: boolean; readonly queued?: true }

/** Gives the running turn of a session a message, whichever process runs it, unless no turn runs or another one than `turn`. */
export async function steerTurn(
  { steering, workList, store }: SteerDeps,
  session: string,
  message: UserMessage,
  turn?: string,
): Promise<Steered> {
  if (steering.give(session, message, turn)) return { steered: true }
  const holder = (await store.lease(session))?.holder
  const running = holder === undefined ? undefined : runningOf(holder)
  // A turn of this process that takes no messages is just beginning or ending.
  if (running?.kind !== 'turn' || workList.running.some(({ id }) => id === running.id)) return NOT_STEERED
  if (turn !== undefined && running.id !== turn) return NOT_STEERED
  await store.sendSignal({ session, kind: STEER, body: JSON.stringify({ turn: running.id, message }) })
  return { steered: true, queued: true }
}

const NOT_STEERED: Steered = { steered: false }

/** Listens for messages that other processes received. Returns a function that stops it. */
export function hearSteering(store: Store, steering: Steering): () => void {
  return store.receiveSignals(({ session, kind, body }) => {
    if (kind !== STEER) return false
    const { turn, message } = steerSchema.parse(JSON.parse(body))
    // The caller sends the message again when its turn has ended: a later turn must not get it twice.
    return message.role === 'user' && steering.give(session, message, turn)
  })
}
