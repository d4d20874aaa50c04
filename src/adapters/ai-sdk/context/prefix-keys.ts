import { hash } from 'node:crypto'
import { keysOf } from '../../../fit/open-contexts.ts'
import { contentText, type Quote } from '../../../fit/state/content-key.ts'
import type { Message } from '../../../model/message/message.ts'
import { sameData } from '../../../model/values/same-data.ts'

/**
 * The keys of a prefix with one more message, with two more, and so on. One manager may serve many people: nobody can make
 * a conversation that has the key of another one.
 */
export function keysBehind(prefix: string, messages: readonly Message[]): string[] {
  let key = prefix
  return messages.map((message) => {
    key = sha256(`${key}\n${contentKey(message)}`)
    return key
  })
}

/** True when two messages say the same: the SDK hands out copies of what it keeps. */
export function sameMessage(some: Message | undefined, other: Message | undefined): boolean {
  if (sameData(some, other)) return true
  return some !== undefined && other !== undefined && contentText(some) === contentText(other)
}

/** What a message says is hashed once, also where another message before it was changed. */
function contentKey(message: Message): string {
  const known = keysOf(message)
  known.content ??= sha256(contentText(message, measured))
  return known.content
}

/** Its length tells where a text ends: that is written much faster than JSON. Half a character would be hashed like any other half. */
const measured: Quote = (text) => (text.isWellFormed() ? `${text.length}:${text}` : JSON.stringify(text))

function sha256(text: string): string {
  return hash('sha256', text, 'base64')
}
