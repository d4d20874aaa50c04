import { z } from 'zod'
import type { Store } from '../../store/store.ts'
import type { PermissionQuestions, QuestionAnswer } from './permission-questions.ts'
import { runningOf } from './work-holder.ts'
import type { Leases } from './work-list.ts'

/** The signal that brings the answer to a question to the process that asks. */
const ANSWER = 'answer'
const answerSchema = z.object({ question: z.string(), allow: z.boolean(), text: z.string().optional() })

/** Answers a question of a turn, whichever process runs it. False when nobody asks. */
export async function answerQuestion(
  {
    questions,
    leases,
    store,
  }: { readonly questions: PermissionQuestions; readonly leases: Leases; readonly store: Store },
  session: string,
  question: string,
  answer: QuestionAnswer,
): Promise<boolean> {
  if (questions.answer(session, question, answer)) return true
  const holder = await leases.holder(session)
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
