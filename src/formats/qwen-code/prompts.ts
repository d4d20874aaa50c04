import { fields, objects } from '../shared/json.ts'
import { type PromptCounter, promptCounter } from '../shared/typed-prompts.ts'

export function countQwenCode(): PromptCounter {
  return promptCounter(({ type, subtype, message }) =>
    type === 'user' && (subtype === undefined || subtype === 'mid_turn_user_message')
      ? objects(fields(message)?.parts).flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
      : [],
  )
}
