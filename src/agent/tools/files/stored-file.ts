import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { access, type FileHandle } from 'node:fs/promises'
import { PithError } from '../../../model/problems/errors.ts'
import type { ToolContext } from '../../tool.ts'
import type { FilePlace } from '../../workspace.ts'
import { openFile } from './open-file.ts'

/** The current state of a file that is about to be changed. `text` is undefined if it is not UTF-8, or too large. */
export type StoredFile = { readonly text: string | undefined; readonly hash: string; readonly mode: number }

/** The current state of a file; undefined if it does not exist. */
export async function storedFile(place: FilePlace): Promise<StoredFile | undefined> {
  const file = await openFile(place)
  if (file === undefined) return undefined
  try {
    const { size, mode } = await file.stat()
    if (size > LARGE_BYTES) return { text: undefined, hash: await largeFileHash(file), mode }
    const bytes = await file.readFile()
    return { text: utf8(bytes), hash: contentHash(bytes), mode }
  } finally {
    await file.close()
  }
}

/** Throws if the agent may not change this file because it does not know the current content, or because the file is read-only. */
export async function checkKnown(place: FilePlace, file: StoredFile, context: ToolContext): Promise<void> {
  const seen = context.seen(place.shown)
  if (seen === undefined) {
    throw new PithError('not-allowed', `${place.shown} exists and you have not read it: read it first`)
  }
  if (seen !== file.hash) {
    throw new PithError('not-allowed', `${place.shown} has changed since you last saw it: read it again first`)
  }
  await access(place.real, constants.W_OK).catch(() => {
    throw new PithError('not-allowed', `${place.shown} is read-only: nothing was changed`)
  })
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Larger files are not read as a whole. They are identified by size, time, head and tail. */
export const LARGE_BYTES = 32 * 1024 * 1024
const SAMPLE_BYTES = 1024 * 1024

/** The hash that identifies a content. */
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
