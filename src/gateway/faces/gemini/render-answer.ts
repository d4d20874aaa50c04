import { countsOf, type OwnAnswer, type RenderedAnswer } from '../own-answer.ts'
import { eventResponse, jsonResponse } from '../written-response.ts'

/** An answer of `generateContent` or `streamGenerateContent`: a stream of one chunk has the same content as a whole answer. */
export function renderGeminiAnswer(answer: OwnAnswer): RenderedAnswer {
  const { inputTokens, outputTokens, cacheReadTokens, reasoningTokens } = countsOf(answer)
  const content = { role: 'model', parts: [{ text: answer.text }] }
  const response = {
    candidates: [{ index: 0, content, finishReason: 'STOP' }],
    modelVersion: answer.model,
    responseId: answer.id,
    usageMetadata: {
      promptTokenCount: inputTokens,
      cachedContentTokenCount: cacheReadTokens,
      candidatesTokenCount: outputTokens - reasoningTokens,
      thoughtsTokenCount: reasoningTokens,
      totalTokenCount: inputTokens + outputTokens,
    },
  }
  return answer.isStream ? eventResponse([response]) : jsonResponse(response)
}
