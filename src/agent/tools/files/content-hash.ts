import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'

/** Larger files are known by size, time, head and tail: they are not read as a whole. */
export const LARGE_BYTES = 32 * 1024 * 1024
const SAMPLE_BYTES = 1024 * 1024

/** The hash by which a content is known again. */
export function contentHash(content: string | Uint8Array): string {
  return short(createHash('sha256').update(content).digest('hex'))
}

/** The same for a large file, without reading all of it. */
export async function largeFileHash(file: FileHandle): Promise<string> {
  const { size, mtimeMs } = await file.stat()
  const hash = createHash('sha256').update(`${size} ${mtimeMs}`)
  for (const start of [0, Math.max(0, size - SAMPLE_BYTES)]) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, start)
    hash.update(buffer.subarray(0, bytesRead))
  }
  return short(hash.digest('hex'))
}

function short(hex: string): string {
  return hex.slice(0, 16)
}
