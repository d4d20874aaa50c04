import { type SourceIndex, wordsOf } from './source-index.ts'

/**
 * True when the source contains every sentence of the quotation word for word. An ellipsis or a remark in brackets
 * stands for what is left out; one or two words beside it say nothing.
 */
export function findQuotation(quotation: string, index: SourceIndex): boolean {
  return quotation
    .split(/\.{3,}|…|\[[^\]]*\]/)
    .filter((passage) => wordsOf(passage).split(' ').length > 2)
    .flatMap((passage) => passage.split(/(?<=[.!?])\s+|\n{2,}/))
    .every((sentence) => wordsOf(sentence) === '' || index.hasWords(sentence))
}
