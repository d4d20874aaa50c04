import { createHmac, timingSafeEqual } from 'node:crypto'

/** The authentication of a content for one purpose: a seal that was made for another does not fit. */
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
