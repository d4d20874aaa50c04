import { handle } from '../../model/text.ts'
import { count, counted } from './numbers.ts'
import type { OverFacts } from './over-text.ts'

/** A message that was put back, with the fields that a sentence about it needs. */
export type PutBackFacts = {
  readonly seq: number
  /** The number of messages that were put back: a call comes with its results. */
  readonly messages: number
  readonly tokens: number
}

export function putBackText({ seq, messages, tokens }: PutBackFacts): string {
  const step = messages < 2 ? '' : ` with what belongs to it (${counted(messages, 'message')})`
  return `${handle(seq)}${step} is back word for word and stays: ${count(tokens)} tokens`
}

/** Why a message is not put back. */
export function notBackText(seq: number, { over, tokens, most }: OverFacts): string {
  return over === 'limit'
    ? `${handle(seq)} does not fit: the context would have ${count(tokens)} tokens, and ${count(most)} is the most`
    : `${handle(seq)} does not fit with the parts that always stay: together they have ${count(tokens)} tokens, and a compaction aims at ${count(most)}`
}
