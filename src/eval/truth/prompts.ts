import { type Message, textOf } from '../../model/types.ts'

/** The text that a person typed in a message; empty if a program wrote it. */
export function personText(message: Message): string {
  if (message.role !== 'user') return ''
  const text = textOf(message).trim()
  return BY_PROGRAM.test(text) ? '' : text
}

/** Programs put what they say in the user's role into tags, or start it with one of a few phrases. */
const BY_PROGRAM =
  /^\s*(?:<[a-z][\w-]*[\s>]|\[Request interrupted|Caveat: |Base directory for this skill:|# AGENTS\.md instructions|This session is being continued from)/i

/** Sentences in which a person sets a limit. Questions, code and pasted output do not count. */
export function constraintsIn(text: string): string[] {
  return sentencesIn(text).filter(
    (sentence) => sentence.length >= 12 && sentence.length <= 300 && LIMIT.test(sentence) && !/\?$/.test(sentence),
  )
}

/** The sentences of a text without its code, each once. */
export function sentencesIn(text: string): string[] {
  const prose = text.replace(/```[\s\S]*?```/g, '\n').split(/\n+|(?<=[.!?])\s+/)
  return [...new Set(prose.map((sentence) => sentence.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').trim()))]
}

const LIMIT =
  /\b(?:must|never|always|only|don['’]t|do not|should not|shouldn['’]t|make sure|avoid|without|instead of)\b/i
