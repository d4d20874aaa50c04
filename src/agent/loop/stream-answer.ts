import type { ModelCall, ModelEvent } from '../../llm/call/chat-model.ts'
import { type AssistantMessage, type AssistantPart, callsOf, partsOf, textOf, type Usage } from '../../model/types.ts'
import { messageTokens } from '../../tokens/estimate/estimator.ts'
import { featureEstimator } from '../../tokens/estimate/feature-estimator.ts'
import { roomForAnswer } from '../../tokens/windows.ts'
import type { Agent } from '../agent.ts'
import { modelCallOf } from '../request/model-call.ts'

/** A complete answer. */
export type Finish = Extract<ModelEvent, { type: 'finish' }>

/** The result of one request: how it ended, the text until then, and whether any part of an answer arrived. */
export type StreamedAnswer = {
  readonly outcome: Finish | Extract<ModelEvent, { type: 'failed' }>
  readonly said: string
  readonly begun: boolean
}

/** Sends a request and emits its answer as it arrives. The usage of void attempts is stored. */
export async function streamAnswer(agent: Agent, call: ModelCall): Promise<StreamedAnswer> {
  let said = ''
  let begun = false
  for await (const event of agent.model.stream(call)) {
    begun ||= event.type === 'text' || event.type === 'reasoning' || event.type === 'tool-input'
    switch (event.type) {
      case 'text':
        said += event.text
        agent.emit(event)
        break
      case 'reasoning':
      case 'tool-input':
      case 'notice':
        agent.emit(event)
        break
      case 'retry':
        await storeVoid(agent, event.failure.text, event.usage)
        agent.emit(event)
        break
      case 'tool-call':
        break
      case 'finish':
      case 'failed':
        return { outcome: event, said, begun }
    }
  }
  return { outcome: { type: 'failed', failure: { kind: 'network', text: 'the answer broke off' } }, said, begun }
}

/** True for an answer without text and calls. */
export function isEmptyAnswer({ message: { content } }: Finish): boolean {
  if (typeof content === 'string') return content.trim() === ''
  return content.every((part) => part.type === 'reasoning' || (part.type === 'text' && part.text.trim() === ''))
}

/** Stores the provider's count of an answer that is not in the log, so that its cost is not lost. */
export async function storeVoid(agent: Agent, reason: string, usage: Usage | undefined): Promise<void> {
  if (usage === undefined) return
  await agent.append([{ type: 'void', reason, model: agent.model.name, usage }])
}

/** How often the model is asked to continue a text that was cut. */
const MOST = 3

const CONTINUE_PROMPT =
  'Your last message was cut at the output limit. Go on exactly where it stopped: repeat nothing, and say nothing about the cut.'

/**
 * Completes an answer whose text was cut by the output limit. The model is asked to continue, and the parts become one message.
 * Only that message is in the log; the request to continue is not in any view. If there is no rest, the answer is unchanged.
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

/** The rest of an answer, or the part that arrived before the stream broke off; undefined if nothing arrived. */
async function restOf(agent: Agent, { message }: Finish, signal: AbortSignal): Promise<Finish | undefined> {
  const call = modelCallOf(agent)
  const messages = [...call.messages, message, { role: 'user' as const, content: CONTINUE_PROMPT }]
  const sent = agent.status().tokens + messageTokens(message, featureEstimator)
  const maxOutputTokens = roomForAnswer(agent.info, sent)
  const { outcome, said } = await streamAnswer(agent, { ...call, messages, maxOutputTokens, signal })
  if (outcome.type === 'finish' && !isEmptyAnswer(outcome)) return outcome
  await storeVoid(agent, 'The rest of an answer did not come', outcome.usage)
  if (said.trim() === '') return undefined
  return { type: 'finish', reason: 'length', message: { role: 'assistant', content: said } }
}

/**
 * Joins two parts of an answer into one message, and a continued text into one text. Reasoning of the second part is kept only
 * if it has calls: some providers accept calls only together with their reasoning.
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
