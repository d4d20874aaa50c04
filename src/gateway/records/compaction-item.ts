import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { isSealed, sealOf } from './seal.ts'

/** The beginning of every item's content that Pith has made. */
export const OWN_ITEM = 'pith1.'

/** A record as the `encrypted_content` of a compaction item: the record itself, compressed and authenticated. */
export function sealedItem(record: string, key: Uint8Array): string {
  const content = brotliCompressSync(Buffer.from(record))
  return `${OWN_ITEM}${sealOf(key, PURPOSE, content)}.${content.toString('base64url')}`
}

/** The record in an item; undefined for an item that this installation has not made, such as a provider's own. */
export function openedItem(content: string, key: Uint8Array): string | undefined {
  if (!isOwnItem(content)) return undefined
  const [seal = '', packed = ''] = content.slice(OWN_ITEM.length).split('.', 2)
  const bytes = Buffer.from(packed, 'base64url')
  // Only content with our seal is unpacked, so that nobody else's bytes reach the decompressor.
  return isSealed(key, PURPOSE, bytes, seal) ? brotliDecompressSync(bytes).toString() : undefined
}

/** True for the content of an item that Pith has made, here or elsewhere. */
export function isOwnItem(content: string): boolean {
  return content.startsWith(OWN_ITEM)
}

const PURPOSE = 'compaction-item'
