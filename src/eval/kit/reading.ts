import { featureEstimator } from '../../tokens/estimate/feature-estimator.ts'
import type { Ask } from './exchange.ts'
import type { QuestionKind } from './kinds.ts'
import { ANSWERING, MAX_CALLS, MAX_RECALLS, RECALL } from './prompts.ts'
import { answerPartsIn, type ExamQuestion, recallsIn } from './read-replies.ts'

/** A context with the questions about its session, as one reader gets it. */
export type ReaderContext = {
  readonly about: string
  readonly session: string
  readonly context: string
  readonly items: readonly ExamQuestion[]
  /** Answers a call of the reader's; absent if it may not call. */
  readonly recall?: ((asked: string) => Promise<string>) | undefined
}

/** The answers, and the tokens of the definition of `recall` and of all that it found. */
export type Answers = {
  readonly parts: Readonly<Record<QuestionKind, string>>
  readonly recallTokens: number | undefined
}

/** Asks a reader, and again with what it recalled, until it answers; undefined if a reply is still missing. */
export async function answersTo(
  { about, session, context, items, recall }: ReaderContext,
  ask: (one: Ask) => string | undefined | Promise<string>,
): Promise<Answers | undefined> {
  const questions = items.map(({ kind, question }) => `${kind}: ${question}`).join('\n')
  let found = ''
  for (let asked = 0; ; asked++) {
    const mayRecall = recall !== undefined && asked < MAX_RECALLS
    const text = await ask({
      about,
      // Later requests repeat the same context, and a player must see no other one.
      ...(asked === 0 ? { session } : {}),
      system: mayRecall ? `${ANSWERING}\n\n${RECALL}` : ANSWERING,
      prompt: `<context>\n${context}\n</context>\n\n${found}${questions}`,
    })
    if (text === undefined) return undefined
    const calls = mayRecall ? recallsIn(text) : undefined
    if (!mayRecall || calls === undefined) {
      const recallTokens = recall && featureEstimator.text(`${RECALL}\n${found}`)
      return { parts: answerPartsIn(text), recallTokens }
    }
    for (const call of calls.slice(0, MAX_CALLS))
      found += `<recalled call=${JSON.stringify(call)}>\n${await recall(call)}\n</recalled>\n\n`
  }
}
