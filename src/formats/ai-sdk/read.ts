import { messageSchema } from '../../model/message-schema.ts'
import type { FormatReader } from '../shared/format.ts'
import { addMessages, itemsOf, requestSession } from '../shared/message-list.ts'

/** Reads a list of the AI SDK's model messages, alone or in a request. An item that is not a message becomes an issue. */
export const readAiSdk: FormatReader = {
  document(document, deps) {
    const session = requestSession(document, deps)
    for (const [i, value] of itemsOf(document).entries()) {
      const message = messageSchema.safeParse(value)
      if (message.success) addMessages(session, [message.data])
      else session.log.issue(i + 1, `item ${i + 1} is no message of the AI SDK`)
    }
    return session
  },
}
