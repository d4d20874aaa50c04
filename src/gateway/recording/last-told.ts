import { type Message, outputText, partsOf } from '../../model/message.ts'
import type { Item } from '../../model/view.ts'

/** The place of the last item whose words a client has told in a text; undefined when it told none of them. */
export function lastTold(items: readonly Item[], told: string): number | undefined {
  return items.findLast((item) => item.kind === 'message' && isTold(item.message, told))?.place
}

/** Clients shorten results, so the beginning of what was said decides. */
function isTold(message: Message, told: string): boolean {
  return partsOf(message).some((part) => {
    const said = part.type === 'text' ? part.text : part.type === 'tool-result' ? outputText(part.output) : ''
    const words = said.trim().slice(0, TOLD_CHARACTERS)
    return words.length >= LEAST_CHARACTERS && told.includes(words)
  })
}

const TOLD_CHARACTERS = 200
/** Shorter words, such as "Done.", are said more than once. */
const LEAST_CHARACTERS = 12
