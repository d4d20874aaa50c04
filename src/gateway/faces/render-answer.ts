import { unreachable } from '../../model/problems/errors.ts'
import { renderAnthropicAnswer } from './anthropic/render-answer.ts'
import type { FaceName } from './face.ts'
import { renderGeminiAnswer } from './gemini/render-answer.ts'
import { renderChatAnswer } from './openai-chat/render-answer.ts'
import { renderResponsesAnswer } from './openai-responses/render-answer.ts'
import type { OwnAnswer, RenderedAnswer } from './own-answer.ts'

/** A text of ours as an answer of a protocol, streamed or whole as the client asked. */
export function renderAnswer(face: FaceName, answer: OwnAnswer): RenderedAnswer {
  switch (face) {
    case 'anthropic':
      return renderAnthropicAnswer(answer)
    case 'openai-chat':
      return renderChatAnswer(answer)
    case 'openai-responses':
      return renderResponsesAnswer(answer)
    case 'gemini':
      return renderGeminiAnswer(answer)
    default:
      return unreachable(face)
  }
}
