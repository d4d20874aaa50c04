import { createHash } from 'node:crypto'
import type { Message } from '../../model/message.ts'

/**
 * A key for every prefix of a conversation: the first message, the first two, and so on. What a provider is told beside
 * the content (where to cache, which may be another message at each call) is no part of it.
 */
export function prefixKeys(messages: readonly Message[]): string[] {
  const hash = createHash('sha256')
  return messages.map((message) => {
    hash.update(contentText(message))
    hash.update('\n')
    return hash.copy().digest('base64')
  })
}

/** True when two lists say the same: the SDK hands out copies of what it keeps. */
export function sameMessages(some: readonly Message[], others: readonly Message[]): boolean {
  if (some.length !== others.length) return false
  return some.every((message, i) => {
    const other = others[i]
    return message === other || (other !== undefined && contentText(message) === contentText(other))
  })
}

function contentText(message: Message): string {
  return JSON.stringify(message, contentOnly)
}

function contentOnly(this: unknown, key: string, value: unknown): unknown {
  if (key === 'providerOptions') return undefined
  const raw = (this as Record<string, unknown>)[key]
  if (raw instanceof Uint8Array) return Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('base64')
  if (raw instanceof ArrayBuffer) return Buffer.from(raw).toString('base64')
  return typeof value === 'bigint' ? `${value}` : value
}
