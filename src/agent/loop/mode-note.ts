import { programNote } from '../../model/text.ts'
import { partsOf, type UserMessage } from '../../model/types.ts'
import type { Agent } from '../agent.ts'
import { modeSentence } from '../fixed/fixed-parts.ts'
import { PERMISSION_MODES } from '../permissions/rule.ts'

/** The user's message with a note for the model, which is not a part of the user's words. */
export function withProgramNote(said: UserMessage, note: string): UserMessage {
  const parts = typeof said.content === 'string' ? [{ type: 'text' as const, text: said.content }] : said.content
  return { ...said, content: [...parts, { type: 'text', text: programNote(note) }] }
}

/** The user's message with a note of the permission mode, if the model knows another one. */
export function withModeNote(agent: Agent, said: UserMessage): UserMessage {
  const { sent, now } = agent.deps.fixed.mode
  return now === (lastNote(agent) ?? sent) ? said : withProgramNote(said, now)
}

const NOTES: ReadonlyMap<string, string> = new Map(
  PERMISSION_MODES.map(modeSentence).map((text) => [programNote(text), text]),
)

/** The last note of the permission mode in the conversation. */
function lastNote({ live }: Agent): string | undefined {
  for (const { message } of live.view.items.slice().toReversed()) {
    if (message.role !== 'user') continue
    const part = partsOf(message).findLast((each) => each.type === 'text' && NOTES.has(each.text))
    if (part?.type === 'text') return NOTES.get(part.text)
  }
  return undefined
}
