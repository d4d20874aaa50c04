import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { AskPermission, PermissionAnswer } from '../../agent/permissions/permission-gate.ts'
import type { PermissionRequest } from '../../agent/tool.ts'
import type { EventData } from '../../contract/shapes/wire-events.ts'
import { leaseHolder } from '../../session/compaction/hold-lease.ts'
import type { Store } from '../../store/store.ts'
import { runningOf } from './work-list.ts'

/** A permission question that a turn asks the reader of its events; its target is a path or a command. */
type TurnQuestion = Omit<EventData<'question'>, 'session_id'>

export type QuestionNews =
  | { readonly type: 'question'; readonly question: TurnQuestion }
  | { readonly type: 'question-closed'; readonly id: string }

/** Allows a request once, or denies it with a text for the agent. Permanent rules are set on the server. */
export type QuestionAnswer = { readonly allow: boolean; readonly text?: string | undefined }

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
    return async (request, toolCallId, signal) => {
      const question = questionOf(request, toolCallId)
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
  if (request.kind === 'command') return { ...of, target: request.command, outside: false }
  if (request.kind === 'tool') return { ...of, target: `${request.tool} ${request.input}`, outside: false }
  const { path: target, outside } = request
  return { ...of, target, outside, diff: request.kind === 'edit' ? request.diff : undefined }
}

function permissionOf({ allow, text = '' }: QuestionAnswer): PermissionAnswer {
  return allow ? { kind: 'once' } : { kind: 'tell', text }
}

/** The signal that brings the answer to a question to the process that asks. */
const ANSWER = 'answer'
const answerSchema = z.object({ question: z.string(), allow: z.boolean(), text: z.string().optional() })

/** Answers a question of a turn, whichever process runs it. False when nobody asks. */
export async function answerQuestion(
  { questions, store }: { readonly questions: PermissionQuestions; readonly store: Store },
  session: string,
  question: string,
  answer: QuestionAnswer,
): Promise<boolean> {
  if (questions.answer(session, question, answer)) return true
  const holder = await leaseHolder(store, session)
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
