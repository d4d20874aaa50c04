import type { ModelCall, ModelEvent } from '../../llm/call/chat-model.ts'
import type { Usage } from '../../model/types.ts'
import type { Agent } from '../agent.ts'

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
  const entries = await agent.live.append([{ type: 'void', reason, model: agent.model.name, usage }])
  for (const entry of entries) agent.emit({ type: 'entry', entry })
}
