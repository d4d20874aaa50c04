import { fields } from '../shared/json.ts'
import { type PromptCounter, promptCounter } from '../shared/typed-prompts.ts'

/** Counts what was typed; what a sub-agent is told names the call that started it. */
export function countCopilot(): PromptCounter {
  return promptCounter(({ type, data }) => {
    const { content, parentToolCallId } = fields(data) ?? {}
    return type === 'user.message' && parentToolCallId === undefined && typeof content === 'string' ? [content] : []
  })
}
