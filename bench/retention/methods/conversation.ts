import { type Entry, featureEstimator, messagesOf, messagesTokens, viewOf } from '../../../src/engine.ts'
import type { Conversation } from './method.ts'

/** Turns a log into the input of a method. */
export function conversationOf(log: readonly Entry[]): Conversation {
  const before = messagesOf(viewOf(log))
  return { log, before, tokens: messagesTokens(before, featureEstimator) }
}
