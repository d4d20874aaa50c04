import { withoutEscapes } from '../../../model/text.ts'

/** The sentences of a text in order, line by line. Code blocks and lines of output are left out. Takes linear time. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  let inCode = false
  for (const line of withoutEscapes(text).split('\n')) {
    const trimmed = line.trim()
    if (trimmed.startsWith('```')) inCode = !inCode
    else if (!inCode && trimmed !== '' && !looksLikeOutput(trimmed)) sentences.push(...splitLine(trimmed))
  }
  return sentences
}

/** True for lines that people paste: stack traces, log lines, tables, diffs, very long lines that are not prose. */
function looksLikeOutput(line: string): boolean {
  if (line.length > LONG_LINE && !hasSentences(line.slice(0, LONG_LINE))) return true
  return /^(?:at |\||[+-]{3} |@@ |\$ |\d{4}-\d\d-\d\d[T ]|\[\d|<[a-z/!]|[{}[\]]|\d+[:|→])/.test(line)
}

const LONG_LINE = 2_000

function hasSentences(text: string): boolean {
  return (text.match(/[\p{L}\d)][.!?](?=\s+\S)|[。！？]/gu)?.length ?? 0) >= 3
}

function splitLine(line: string): string[] {
  const text = line.replace(/^(?:[-*•]|\d+[.)])\s+|^#+\s+/, '')
  const parts: string[] = []
  let from = 0
  for (const end of text.matchAll(/[.!?](?=\s+\S)|[。！？]/g)) {
    parts.push(text.slice(from, end.index + 1).trim())
    from = end.index + 1
  }
  parts.push(text.slice(from).trim())
  return parts.filter((part) => part !== '')
}

/** True for a sentence in which a user sets a limit: must, never, always, only, don't. */
export function setsConstraint(sentence: string): boolean {
  return sentence.length <= 400 && sentence.length >= 8 && CONSTRAINT.test(sentence) && !QUESTION.test(sentence)
}

const CONSTRAINT =
  /\b(?:must(?:n['’]t)?|never|always|only|don['’]t|do not|should(?:n['’]t| not)|cannot|can['’]t|may not|avoid|make sure|ensure|required?|mandatory|forbidden|without|no (?:new|more|other|longer)|instead of|prefer|keep)\b|[不别]要|必须|永远|只能|禁止/i
const QUESTION = /\?\s*$/
