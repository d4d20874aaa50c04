import { nearest } from './nearest.ts'

/** The sentence about a key that nobody knows, with the known one that was probably meant. */
export function unknownKey(key: string, known: readonly string[], what = 'key'): string {
  const meant = nearest(key, known)
  return `unknown ${what} \`${shortKey(key)}\`${meant === undefined ? '' : `, did you mean \`${meant}\`?`}`
}

/** A message repeats no more of a key than a person reads. */
function shortKey(key: string): string {
  return key.length > 100 ? `${key.slice(0, 100)}…` : key
}
