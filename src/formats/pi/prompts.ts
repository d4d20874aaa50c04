import { fields, objects } from '../shared/json.ts'
import { type PromptCounter, promptCounter } from '../shared/typed-prompts.ts'

export function countPi(): PromptCounter {
  return promptCounter((entry) => {
    const message = entry.type === 'message' ? fields(entry.message) : undefined
    if (message?.role !== 'user') return []
    if (typeof message.content === 'string') return [message.content]
    return objects(message.content).flatMap(({ type, text }) => (type === 'text' ? [String(text ?? '')] : []))
  })
}
