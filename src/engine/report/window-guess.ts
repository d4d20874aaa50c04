import type { Origin } from '../../model/types.ts'
import { count } from './numbers.ts'

/** Why we assume another window than the model's: the agent compacted by itself far below it, or sent more than it has. */
export type WindowGuess = Readonly<NonNullable<Origin['guess']>>

/** The notice that a window is a guess, and the reason. */
export function windowGuessText({ from, tokens }: WindowGuess, agent: string): string {
  const reason = from === 'compaction' ? `compacted by itself at ${count(tokens)}` : `sent ${count(tokens)}`
  return `the window is a guess: ${agent} ${reason} tokens`
}
