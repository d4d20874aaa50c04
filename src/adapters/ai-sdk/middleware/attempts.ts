import { factsOf } from '../../../llm/failure/error-facts.ts'
import { type Overflow, overflowIn } from '../../../llm/failure/overflow.ts'
import type { CallOptions, GenerateResult, SdkModel, StreamPart, StreamResult } from '../models/sdk-types.ts'
import { peekStream } from './peek-stream.ts'

/** The outcome of a request. After an overflow, `give` hands the caller the provider's error or answer if nothing helps. */
export type Attempt<R> =
  | { readonly kind: 'answered'; readonly result: R }
  | { readonly kind: 'overflow'; readonly overflow: Overflow; readonly give: () => R }

/** Asks for a whole answer. */
export async function attemptGenerate(model: SdkModel, params: CallOptions): Promise<Attempt<GenerateResult>> {
  try {
    const result = await model.doGenerate(params)
    const isEmpty = result.content.length === 0
    return isEmpty && leftNoRoom(result) ? overflow({}, () => result) : { kind: 'answered', result }
  } catch (error) {
    return thrown(error)
  }
}

/** Asks for a stream. Some providers say only inside of it, before anything else, that the request is too large. */
export async function attemptStream(model: SdkModel, params: CallOptions): Promise<Attempt<StreamResult>> {
  try {
    const answer = await model.doStream(params)
    const { first, stream } = await peekStream(answer.stream)
    const result = { ...answer, stream }
    const said = overflowSaidBy(first)
    return said === undefined ? { kind: 'answered', result } : overflow(said, () => result)
  } catch (error) {
    return thrown(error)
  }
}

function overflowSaidBy(part: StreamPart | undefined): Overflow | undefined {
  if (part?.type === 'error') return overflowIn(factsOf(part.error))
  return part?.type === 'finish' && leftNoRoom(part) ? {} : undefined
}

/** The answer ended at its limit before it began: some servers say only so that the input was too long. */
function leftNoRoom({ finishReason, usage }: Pick<GenerateResult, 'finishReason' | 'usage'>): boolean {
  return finishReason.unified === 'length' && (usage.outputTokens.total ?? 0) <= 1
}

function overflow<R>(said: Overflow, give: () => R): Attempt<R> {
  return { kind: 'overflow', overflow: said, give }
}

function thrown<R>(error: unknown): Attempt<R> {
  const said = overflowIn(factsOf(error))
  if (said === undefined) throw error
  return overflow(said, () => {
    throw error
  })
}
