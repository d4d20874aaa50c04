import type { EntryDraft, Message } from '../../../src/model/types.ts'
import { type Brain, isSummarising } from '../../support/model-server/index.ts'
import { MODEL } from './program.ts'

export const SUMMARY = '## Goal\nMend the upload.\n## Key Instructions\nNo new dependencies.'

/** Answers `reply`, and summaries with `SUMMARY`. */
export function replies(reply = 'Understood.'): Brain {
  return (request) => ({ text: isSummarising(request) ? SUMMARY : reply })
}

export function userSays(text: string): EntryDraft {
  return { type: 'message', message: { role: 'user', content: text } }
}

/** An answer after which the provider counted exactly that many tokens. */
export function answer(text: string, tokens?: number, model = MODEL): EntryDraft {
  const message: Message = { role: 'assistant', content: text }
  if (tokens === undefined) return { type: 'message', message, model }
  return { type: 'message', message, model, usage: { inputTokens: tokens - 10, outputTokens: 10 } }
}

/** Turns of a question and an answer; after the last the provider counted `tokens`. */
export function talk(count: number, tokens?: number, characters = 400): EntryDraft[] {
  return Array.from({ length: count }, (_, i) => [
    userSays(`question ${i + 1} `.padEnd(characters, 'q ')),
    answer(`answer ${i + 1} `.padEnd(characters, 'a '), i === count - 1 ? tokens : undefined),
  ]).flat()
}
