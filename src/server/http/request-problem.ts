import type { ParseProblem } from '../../model/problems/parse.ts'

/** A problem in a part of a request, as a sentence: `seq in the path must be a number`. */
export function requestProblem({ path, text }: ParseProblem, part: 'path' | 'query' | 'header' | 'body'): string {
  const place = path.length === 0 ? `the ${part}` : `${path.map(String).join('.')} in the ${part}`
  // Most problem texts continue the sentence.
  return `${place}${/^(?:must|is|has) /.test(text) ? '' : ':'} ${text}`
}
