import { nearest } from './nearest.ts'
import { oneOf } from './problem-text.ts'

/** The sentence about a key that nobody knows, with the known one that was probably meant, or a short list of all. */
export function unknownKey(key: string, known: readonly string[], what = 'key'): string {
  const meant = nearest(key, known)
  const listed = known.length > 0 && known.length <= SHORT_LIST ? `: it may be ${oneOf(known)}` : ''
  return `unknown ${what} \`${shortKey(key)}\`${meant === undefined ? listed : `, did you mean \`${meant}\`?`}`
}

const SHORT_LIST = 12

/** A message repeats no more of a key than a person reads. */
function shortKey(key: string): string {
  return key.length > 100 ? `${key.slice(0, 100)}…` : key
}
