import type { AssistantPart } from '../../model/message.ts'
import type { Draft } from '../codec.ts'
import { type Fields, fields, objects, text } from '../json.ts'
import { partsIn, responseOutput, sayUser } from './parts.ts'

/** A content of the API. It gives calls no ids in older versions: a response answers the oldest open call of its name. */
export function addContent(draft: Draft, content: Fields): void {
  const { log } = draft
  const parts = objects(content.parts)
  log.recordedMessages++
  const calls = parts.flatMap((part) => fields(part.functionCall) ?? [])
  log.recordedCalls += calls.length
  if (content.role === 'model') {
    const seq = log.entries.length + 1
    const answer = parts.flatMap((part, i): AssistantPart[] => modelPart(part, `call-${seq}-${i}`))
    log.say({ role: 'assistant', content: answer })
    return
  }
  const open = openCalls(draft)
  for (const part of parts) {
    const response = fields(part.functionResponse)
    if (response === undefined) continue
    const name = String(response.name ?? '')
    const place = open.findIndex(
      (call) => call.id === response.id || (text(response.id) === undefined && call.name === name),
    )
    const [call] = place === -1 ? [] : open.splice(place, 1)
    log.result(call?.id ?? text(response.id) ?? name, responseOutput(fields(response.response)), { toolName: name })
  }
  sayUser(draft, partsIn(parts), {})
}

function openCalls({ log }: Draft): { id: string; name: string }[] {
  const last = log.live.findLast((item) => item.message.role === 'assistant')?.message
  if (last?.role !== 'assistant' || typeof last.content === 'string') return []
  return last.content.flatMap((part) =>
    part.type === 'tool-call' ? [{ id: part.toolCallId, name: part.toolName }] : [],
  )
}

function modelPart(part: Fields, id: string): AssistantPart[] {
  const call = fields(part.functionCall)
  if (call !== undefined)
    return [
      { type: 'tool-call', toolCallId: text(call.id) ?? id, toolName: String(call.name ?? ''), input: call.args ?? {} },
    ]
  const words = text(part.text)
  if (words === undefined) return []
  return part.thought === true ? [{ type: 'reasoning', text: words }] : [{ type: 'text', text: words }]
}
