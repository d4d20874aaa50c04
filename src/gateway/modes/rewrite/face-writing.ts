import { fields, list } from '../../../formats/shared/json.ts'
import type { JsonValue } from '../../../model/message/message.ts'
import type { FaceName } from '../../faces/face.ts'

/** What has to be known of a protocol to leave out a part of a message, and to put a text in the place of a result. */
export type FaceWriting = {
  /** A message of the user, as JSON. */
  userMessage(text: string): string
  /** A part of such a message, as JSON. */
  textPart(text: string): string
  /** The member of a message that has its parts, where one message of the protocol comes to several of ours. */
  readonly partsKey?: string
  /** For each part, which of our messages it is in. */
  piecesOf(message: JsonValue): readonly number[]
  /** True for a message or a part that is a result. */
  isResult(value: JsonValue): boolean
  /** The members that lead from a result to the value that a model reads. */
  readonly resultPath: readonly string[]
  /** A text in the place of that value, as JSON. */
  resultValue(text: string): string
}

export const FACE_WRITINGS: Readonly<Record<FaceName, FaceWriting>> = {
  anthropic: {
    userMessage: (text) => JSON.stringify({ role: 'user', content: [{ type: 'text', text }] }),
    textPart: (text) => JSON.stringify({ type: 'text', text }),
    partsKey: 'content',
    piecesOf: (message) => resultsFirst(message, 'content', FACE_WRITINGS.anthropic.isResult),
    isResult: (part) => fields(part)?.type === 'tool_result',
    resultPath: ['content'],
    resultValue: (text) => JSON.stringify(text),
  },
  'openai-chat': {
    userMessage: (text) => JSON.stringify({ role: 'user', content: text }),
    textPart: (text) => JSON.stringify({ type: 'text', text }),
    piecesOf: () => [],
    isResult: (message) => ['tool', 'function'].includes(String(fields(message)?.role)),
    resultPath: ['content'],
    resultValue: (text) => JSON.stringify(text),
  },
  'openai-responses': {
    userMessage: (text) => JSON.stringify({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
    textPart: (text) => JSON.stringify({ type: 'input_text', text }),
    piecesOf: () => [],
    isResult: (item) => /_output$/.test(String(fields(item)?.type)),
    resultPath: ['output'],
    resultValue: (text) => JSON.stringify(text),
  },
  gemini: {
    userMessage: (text) => JSON.stringify({ role: 'user', parts: [{ text }] }),
    textPart: (text) => JSON.stringify({ text }),
    partsKey: 'parts',
    piecesOf: (message) => resultsFirst(message, 'parts', FACE_WRITINGS.gemini.isResult),
    isResult: (part) => fields(fields(part)?.functionResponse) !== undefined,
    resultPath: ['functionResponse', 'response'],
    resultValue: (text) => JSON.stringify({ output: text }),
  },
}

/**
 * The pieces of a message: of the user's each result is one, in order, and everything else is the last. A result that is
 * repeated is the same piece.
 */
function resultsFirst(message: JsonValue, key: string, isResult: (part: JsonValue) => boolean): number[] {
  const parts = list(fields(message)?.[key]) as readonly JsonValue[]
  const results = [...new Set(parts.filter(isResult).map((part) => JSON.stringify(part)))]
  return parts.map((part) => (isResult(part) ? results.indexOf(JSON.stringify(part)) : results.length))
}
