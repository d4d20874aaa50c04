import { createHmac, timingSafeEqual } from 'node:crypto'
import type { RecordSeal } from '../../engine/record/read/record-seal.ts'

/** The authentication code of a content for one purpose. A code for one purpose is not valid for another. */
export function sealOf(key: Uint8Array, purpose: string, content: string | Uint8Array): string {
  const seal = createHmac('sha256', key).update(`${purpose}\0`).update(content).digest()
  return seal.subarray(0, SEAL_BYTES).toString('base64url')
}

/** True when the seal was made with this key for this purpose and content. */
export function isSealed(key: Uint8Array, purpose: string, content: string | Uint8Array, seal: string): boolean {
  const [right, given] = [Buffer.from(sealOf(key, purpose, content)), Buffer.from(seal)]
  return right.length === given.length && timingSafeEqual(right, given)
}

const SEAL_BYTES = 18

/** The seal of an installation for its records. */
export function recordSeal(key: Uint8Array): RecordSeal {
  return {
    sign: (text) => sealOf(key, RECORD, text),
    isSigned: (text, seal) => isSealed(key, RECORD, text, seal),
  }
}

const RECORD = 'record'
