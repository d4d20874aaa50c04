import { type AssistantMessage, type AssistantPart, callsOf, partsOf, textOf } from '../../model/message/message.ts'
import { messageTokens } from '../../tokens/estimate/estimator.ts'
import { featureEstimator } from '../../tokens/estimate/feature-estimator.ts'
import { roomForAnswer } from '../../tokens/room-for-answer.ts'
import type { Agent } from '../agent.ts'
import { modelCallOf } from '../request/model-call.ts'
import { type Finish, isEmptyAnswer, storeVoid, streamAnswer } from './stream-answer.ts'

/** How often a text that was cut is gone on with. */
const MOST = 3

const GO_ON =
  'Your last message was cut at the output limit. Go on exactly where it stopped: repeat nothing, and say nothing about the cut.'

/**
 * An answer whose text the output limit cut, with its rest: the model is asked to go on, and the parts become one message.
 * The log has only that; the request to go on is in no view. Where no rest can be had, the answer stays as it is.
 */
export async function continuedAnswer(agent: Agent, cut: Finish, signal: AbortSignal): Promise<Finish> {
  let answer = cut
  for (let times = 0; times < MOST && isCutText(answer) && !signal.aborted; times++) {
    const rest = await restOf(agent, answer, signal)
    if (rest === undefined) return answer
    await storeVoid(agent, 'It was cut at the output limit, and went on', answer.usage)
    answer = { ...rest, message: joined(answer.message, rest.message) }
  }
  return answer
}

function isCutText({ reason, message }: Finish): boolean {
  return reason === 'length' && callsOf(message).length === 0 && textOf(message).trim() !== ''
}

/** The rest of an answer, or what came of it before it broke off; undefined when nothing came. */
async function restOf(agent: Agent, { message }: Finish, signal: AbortSignal): Promise<Finish | undefined> {
  const call = modelCallOf(agent)
  const messages = [...call.messages, message, { role: 'user' as const, content: GO_ON }]
  const sent = agent.status().tokens + messageTokens(message, featureEstimator)
  const maxOutputTokens = roomForAnswer(agent.info, sent)
  const { outcome, said } = await streamAnswer(agent, { ...call, messages, maxOutputTokens, signal })
  if (outcome.type === 'finish' && !isEmptyAnswer(outcome)) return outcome
  await storeVoid(agent, 'The rest of an answer did not come', outcome.usage)
  if (said.trim() === '') return undefined
  return { type: 'finish', reason: 'length', message: { role: 'assistant', content: said } }
}

/**
 * Two parts of an answer as one message, and a text that goes on as one text. What the model thought between them goes
 * along only with calls, which some providers take with their reasoning alone.
 */
function joined(first: AssistantMessage, rest: AssistantMessage): AssistantMessage {
  const before = partsOf(first) as readonly AssistantPart[]
  const all = partsOf(rest) as readonly AssistantPart[]
  const after = callsOf(rest).length > 0 ? all : all.filter(({ type }) => type !== 'reasoning')
  const [last, next] = [before.at(-1), after[0]]
  if (last?.type !== 'text' || next?.type !== 'text') return { role: 'assistant', content: [...before, ...after] }
  const text = { type: 'text' as const, text: last.text + next.text }
  return { role: 'assistant', content: [...before.slice(0, -1), text, ...after.slice(1)] }
}
