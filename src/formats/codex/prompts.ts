import { fields } from '../shared/json.ts'
import type { PromptCounter, TypedPrompt } from '../shared/typed-prompts.ts'
import { COMPACTED } from '../shared/view-parts.ts'

/** Counts what was typed, from the events for the screen: the log is read from the items that were sent. */
export function countCodex(): PromptCounter {
  let prompts: TypedPrompt[] = []
  let isAfterRecord = false
  return {
    line(line, number) {
      const event = line.type === 'event_msg' ? fields(line.payload) : undefined
      const said = event?.type === 'user_message' && typeof event.message === 'string' ? event.message : ''
      // The title that `write.ts` puts behind a record for the list of sessions: nobody typed it.
      const isTitle = isAfterRecord && said.startsWith(COMPACTED)
      isAfterRecord = line.type === 'compacted'
      if (said.trim() !== '' && !isTitle) prompts.push({ line: number, text: said })
      if (event?.type === 'thread_rolled_back') prompts = prompts.slice(0, -Number(event.num_turns) || prompts.length)
    },
    prompts: () => prompts,
  }
}
