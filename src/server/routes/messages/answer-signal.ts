import { z } from 'zod'
import type { Entry, EntryDraft } from '../../../model/entry.ts'
import type { Store } from '../../../store/store.ts'
import type { Services } from '../../services.ts'
import { runningOf } from '../../work/holder.ts'
import type { QuestionAnswer, Questions } from './questions.ts'

const PREFIX = 'Question answered: '
const answered = z.object({ question: z.string(), allow: z.boolean(), text: z.string().optional() })

type Answered = z.infer<typeof answered>

/** The answer to a question that an entry brings to another process, if it does. */
export function answerIn(entry: Pick<Entry, 'type'> & { readonly reason?: unknown }): Answered | undefined {
  if (entry.type !== 'attempt' || typeof entry.reason !== 'string' || !entry.reason.startsWith(PREFIX)) return undefined
  try {
    return answered.parse(JSON.parse(entry.reason.slice(PREFIX.length)))
  } catch {
    return undefined
  }
}

/** Answers a question of a turn, on whichever process that runs: the log reaches them all. False when nobody asks. */
export async function answerQuestion(
  { questions, leases, store }: Pick<Services, 'questions' | 'leases' | 'store'>,
  session: string,
  question: string,
  answer: QuestionAnswer,
): Promise<boolean> {
  if (questions.answer(session, question, answer)) return true
  const holder = await leases.holder(session)
  if (holder === undefined || runningOf(holder).kind !== 'turn') return false
  const reason = PREFIX + JSON.stringify({ question, ...answer })
  const draft: EntryDraft = { type: 'attempt', outcome: 'skipped', reason }
  await store.append(session, [draft])
  return true
}

/** Hears answers that came in at other processes. Returns how to stop. */
export function hearAnswers(store: Store, questions: Questions): () => void {
  return store.subscribe(({ session, seq }) => {
    if (!questions.isAsking) return
    void store
      .entries(session, { seqs: [seq] })
      .then(({ entries }) => entries.map(answerIn))
      .then(([given]) => given !== undefined && questions.answer(session, given.question, given))
      .catch(() => undefined)
  })
}
