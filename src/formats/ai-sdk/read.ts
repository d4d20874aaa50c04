import { messageSchema } from '../../model/message-schema.ts'
import type { FormatReader } from '../shared/format.ts'
import { addMessages, itemsOf, listClient, requestSession } from '../shared/message-list.ts'

/** Reads a list of the AI SDK's model messages, alone or in a request. An item that is not a message becomes an issue. */
export const readAiSdk: FormatReader = {
  document(document) {
    const session = requestSession(document)
    const read = itemsOf(document).map((value) => messageSchema.safeParse(value).data)
    session.log.client = listClient(
      read.flatMap((message) => message ?? []),
      document,
    )
    for (const [i, message] of read.entries()) {
      if (message !== undefined) addMessages(session, [message])
      else session.log.issue(i + 1, `item ${i + 1} is no message of the AI SDK`)
    }
    return session
  },
}
