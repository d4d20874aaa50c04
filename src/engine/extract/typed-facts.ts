import type { ConstraintFact, IdentifierFact, Seq } from '../../model/types.ts'
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

/** Only this much is searched. Demands are in the words that the user typed, not in a pasted file. */
const SCANNED_CHARACTERS = 20_000
