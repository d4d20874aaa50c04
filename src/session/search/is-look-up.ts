import type { Entry } from '../../model/entry.ts'
import { callsOf, type Message } from '../../model/message/message.ts'

/** True for a model's question to `recall`, in whatever agent, and for its answer. */
export function isLookUp(entry: Entry): boolean {
  if (entry.type !== 'message') return false
  const tools = toolsIn(entry.message)
  return tools.length > 0 && tools.every((name) => /(?:^|_)recall$/.test(name))
}

function toolsIn(message: Message): string[] {
  if (message.role !== 'tool') return callsOf(message).map(({ toolName }) => toolName)
  return message.content.flatMap((part) => (part.type === 'tool-result' ? [part.toolName] : []))
}
