import { type SourceIndex, wordsOf } from './source-index.ts'

/**
 * True when the source contains the words of the quotation in order. An ellipsis, a remark in brackets, or the end of
 * a sentence may leave some out.
 */
export function findQuotation(quotation: string, index: SourceIndex): boolean {
  return quotation.split(/\.{3,}|…|\[[^\]]*\]/).every((passage) => {
    return isFound(passage, index) || passage.split(/(?<=[.!?])\s+|\n+/).every((sentence) => isFound(sentence, index))
  })
}

function isFound(passage: string, index: SourceIndex): boolean {
  return wordsOf(passage).split(' ').length < 3 || index.hasWords(passage)
}
