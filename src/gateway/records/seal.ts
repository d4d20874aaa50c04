import { createHmac, timingSafeEqual } from 'node:crypto'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import type { RecordSeal } from '../../engine/record/record-place.ts'

/** The seal of an installation for its records. */
export function recordSeal(key: Uint8Array): RecordSeal {
  return {
    sign: (text) => sealOf(key, RECORD, text),
    isSigned: (text, seal) => isSealed(key, RECORD, text, seal),
  }
}

const RECORD = 'record'

/** The compaction entry of a record: `seq` in a session. */
export type RecordMark = { readonly session: string; readonly seq: number }

/** The record with a last line that names its compaction entry. Nobody without the key can write such a line. */
export function withRecordMark(record: string, mark: RecordMark, key: Uint8Array): string {
  const named = `${mark.session}:${mark.seq}`
  return `${record}\n\n[pith-record:${named}:${sealOf(key, MARK_PURPOSE, named)}]`
}

/** The compaction entry of the last marked record in a text. Lines that were not written with this key are ignored. */
export function recordMarkIn(text: string, key: Uint8Array): RecordMark | undefined {
  if (!text.includes('[pith-record:')) return undefined
  const marks = [...text.matchAll(MARK)].filter(([, session, seq, seal = '']) =>
    isSealed(key, MARK_PURPOSE, `${session}:${seq}`, seal),
  )
  const [, session, seq] = marks.at(-1) ?? []
  return session === undefined ? undefined : { session, seq: Number(seq) }
}

const MARK_PURPOSE = 'record-mark'
const MARK = /\[pith-record:([\w-]{1,100}):(\d{1,15}):([\w-]{1,100})\]/g

/** The beginning of every item's content that Pith has made. */
export const OWN_ITEM = 'pith1.'

/** A record as the `encrypted_content` of a compaction item: the record itself, compressed and authenticated. */
export function sealedItem(record: string, key: Uint8Array): string {
  const content = brotliCompressSync(Buffer.from(record))
  return `${OWN_ITEM}${sealOf(key, ITEM_PURPOSE, content)}.${content.toString('base64url')}`
}

/** The record in an item; undefined for an item that this installation has not made, such as a provider's own. */
export function openedItem(content: string, key: Uint8Array): string | undefined {
  if (!isOwnItem(content)) return undefined
  const [seal = '', packed = ''] = content.slice(OWN_ITEM.length).split('.', 2)
  const bytes = Buffer.from(packed, 'base64url')
  // Only content with our seal is unpacked, so that nobody else's bytes reach the decompressor.
  return isSealed(key, ITEM_PURPOSE, bytes, seal) ? brotliDecompressSync(bytes).toString() : undefined
}

/** True for the content of an item that Pith has made, here or elsewhere. */
export function isOwnItem(content: string): boolean {
  return content.startsWith(OWN_ITEM)
}

const ITEM_PURPOSE = 'compaction-item'

/** The authentication code of a content for one purpose. A code for one purpose is not valid for another. */
function sealOf(key: Uint8Array, purpose: string, content: string | Uint8Array): string {
  const seal = createHmac('sha256', key).update(`${purpose}\0`).update(content).digest()
  return seal.subarray(0, SEAL_BYTES).toString('base64url')
}

/** True when the seal was made with this key for this purpose and content. */
function isSealed(key: Uint8Array, purpose: string, content: string | Uint8Array, seal: string): boolean {
  const [right, given] = [Buffer.from(sealOf(key, purpose, content)), Buffer.from(seal)]
  return right.length === given.length && timingSafeEqual(right, given)
}

const SEAL_BYTES = 18
