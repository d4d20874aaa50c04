import { fields } from '../shared/json.ts'
import type { PromptCounter, TypedPrompt } from '../shared/typed-prompts.ts'

/** Counts what was typed, from the events for the screen: the log is read from the items that were sent. */
export function countCodex(): PromptCounter {
  let prompts: TypedPrompt[] = []
  return {
    line(line, number) {
      const event = line.type === 'event_msg' ? fields(line.payload) : undefined
      if (event?.type === 'user_message' && typeof event.message === 'string' && event.message.trim() !== '')
        prompts.push({ line: number, text: event.message })
      if (event?.type === 'thread_rolled_back') prompts = prompts.slice(0, -Number(event.num_turns) || prompts.length)
    },
    prompts: () => prompts,
  }
}
