import { TASK_AGENT } from '../../engine/extract/text/clients.ts'
import { openAIChatReader } from '../openai-chat/read.ts'
import type { FormatReader } from '../shared/format.ts'
import { fields, list, objects, text } from '../shared/json.ts'
import { SessionBuilder } from '../shared/log-builder.ts'
import { addMessages } from '../shared/message-list.ts'
import { unlessTask } from '../shared/user-words.ts'

/** Reads a trajectory of SWE-agent: chat messages whose results name their call in a list. */
export const readSweAgent: FormatReader = {
  document(document) {
    const session = new SessionBuilder(TASK_AGENT)
    const history = objects(fields(document)?.history).map((message) =>
      message.tool_call_ids === undefined
        ? message
        : { ...message, tool_call_id: text(list(message.tool_call_ids)[0]) },
    )
    addMessages(session, history.flatMap(openAIChatReader()), unlessTask)
    session.log.recordedMessages = history.length
    return session
  },
}
