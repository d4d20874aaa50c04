import { getViewRoute, type SHAPES } from '../../../contract/routes/context-routes.ts'
import { requestOf } from '../../../engine/context/view/request.ts'
import { toAnthropic, toOpenAIChat, toOpenAIResponses } from '../../../formats/index.ts'
import type { Message } from '../../../model/message/message.ts'
import { unreachable } from '../../../model/problems/errors.ts'
import { measureOf, statusFor } from '../../sessions/measure.ts'
import { sessionHandler } from '../handler.ts'

/** The messages to send to a model now. */
export const getViewHandler = sessionHandler(getViewRoute, async ({ query: { shape } }, served, services) => {
  const { view } = served.live
  const { system, messages } = requestOf(view)
  const status = statusFor(await measureOf(services, served))
  return { shape, revision: view.revision, system: [...system], messages: inShape(shape, messages), status }
})

function inShape(shape: (typeof SHAPES)[number], messages: readonly Message[]): unknown[] {
  switch (shape) {
    case 'ai-sdk':
      return [...messages]
    case 'openai':
      return toOpenAIChat(messages)
    case 'openai-responses':
      return toOpenAIResponses(messages)
    case 'anthropic':
      return toAnthropic(messages).messages
    default:
      return unreachable(shape)
  }
}
