import { createHash } from 'node:crypto'
import { behind, prefixKeysBy } from '../../engine/state/content-key.ts'
import type { Message } from '../../model/message.ts'

/**
 * A key for every prefix of a conversation. One manager may serve many people: nobody can make a conversation that has
 * the key of another one.
 */
export const prefixKeys = prefixKeysBy(sha256)

/** The keys of a prefix with one more message, with two more, and so on. */
export function keysBehind(prefix: string, messages: readonly Message[]): string[] {
  let key = prefix
  return messages.map((message) => {
    key = sha256(behind(key, message))
    return key
  })
}

/** True when two lists say the same: the SDK hands out copies of what it keeps. */
export function sameMessages(some: readonly Message[], others: readonly Message[]): boolean {
  if (some.length !== others.length) return false
  if (some.every((message, i) => message === others[i])) return true
  return keysOfSome(some).at(-1) === keysOfOthers(others).at(-1)
}

// Lists of their own, so that a message that stands in both is hashed once for each.
const keysOfSome = prefixKeysBy(sha256)
const keysOfOthers = prefixKeysBy(sha256)

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
