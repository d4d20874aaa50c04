import { count } from './numbers.ts'

export type OverFacts = { readonly over: 'target' | 'limit'; readonly tokens: number; readonly most: number }

/** `has 9,100 tokens, more than the limit of 9,000`. The target is compared without the unread. */
export function overText({ over, tokens, most }: OverFacts): string {
  const compared = over === 'target' ? ' without the unread ones' : ''
  return `has ${count(tokens)} tokens${compared}, more than the ${over} of ${count(most)}`
}
