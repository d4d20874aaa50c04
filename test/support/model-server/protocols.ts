import { readAnthropic } from './anthropic/read.ts'
import { anthropicError, anthropicErrorEvent, anthropicEvents, anthropicOverflow } from './anthropic/write.ts'
import { readChat } from './chat/read.ts'
import { chatErrorEvent, chatEvents, chatOverflow } from './chat/write.ts'
import { readGoogle } from './google/read.ts'
import { googleError, googleErrorEvent, googleEvents, googleOverflow } from './google/write.ts'
import { openaiError } from './openai-error.ts'
import type { Ids, Protocol } from './protocol.ts'
import type { Item } from './responses/body.ts'
import { readResponses } from './responses/read.ts'
import { responsesErrorEvent, responsesEvents, responsesOverflow } from './responses/write.ts'

/** All protocols of one server. */
export function protocolsOf(ids: Ids): readonly Protocol[] {
  return [ANTHROPIC, CHAT, GOOGLE, responsesProtocol(ids)]
}

const ANTHROPIC: Protocol = {
  name: 'anthropic',
  matches: (path) => path === '/v1/messages',
  read: readAnthropic,
  events: anthropicEvents,
  error: anthropicError,
  errorEvent: anthropicErrorEvent,
  overflow: anthropicOverflow,
}

const CHAT: Protocol = {
  name: 'chat',
  matches: (path) => path === '/v1/chat/completions',
  read: readChat,
  events: chatEvents,
  error: openaiError,
  errorEvent: chatErrorEvent,
  overflow: chatOverflow,
}

const GOOGLE: Protocol = {
  name: 'google',
  matches: (path) => /^\/v1beta\/models\/[^/]+:streamGenerateContent$/.test(path),
  read: readGoogle,
  events: googleEvents,
  error: googleError,
  errorEvent: googleErrorEvent,
  overflow: googleOverflow,
}

/** The only one with a memory: a client may refer to items of earlier answers instead of sending them again. */
function responsesProtocol(ids: Ids): Protocol {
  const stored = new Map<string, Item>()
  return {
    name: 'responses',
    matches: (path) => path === '/v1/responses',
    read: (body) => readResponses(body, stored),
    events: (answer, usage, context) => {
      const { events, items } = responsesEvents(answer, usage, context)
      if (context.stores) for (const [id, item] of items) stored.set(id, item)
      return events
    },
    error: openaiError,
    errorEvent: responsesErrorEvent,
    overflow: () => responsesOverflow(ids),
  }
}
