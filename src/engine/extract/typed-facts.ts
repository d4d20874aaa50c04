import type { ConstraintFact, IdentifierFact } from '../../model/facts/log-index.ts'
import type { Seq } from '../../model/ids.ts'
import { identifiersIn } from './text/identifiers.ts'
import { setsConstraint } from './text/reason-score.ts'
import { sentencesOf } from './text/sentences.ts'

/** The demands and names in words that the user typed. */
export function typedFacts(
  words: string,
  { seq, at }: { readonly seq: Seq; readonly at?: number },
): { constraints: ConstraintFact[]; identifiers: IdentifierFact[] } {
  const typed = words.slice(0, SCANNED_CHARACTERS)
  const sentences = [...new Set(sentencesOf(typed).filter(setsConstraint))]
  return {
    constraints: sentences.slice(0, 20).map((text) => ({ text, seq, at })),
    identifiers: identifiersIn(typed).map((name) => ({ ...name, seq })),
  }
}

/** A pasted file is quoted by its head and tail; what the user demands stands in what they typed. */
const SCANNED_CHARACTERS = 20_000
