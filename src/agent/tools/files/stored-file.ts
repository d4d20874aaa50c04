import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bytes } from '../../../engine/report/numbers.ts'
import { PithError } from '../../../model/problems/errors.ts'
import { isOpenDatabase, OPEN_DATABASE } from '../../../store/sqlite/open-files.ts'
import { ifMissing, type ToolContext } from '../../tool.ts'
import type { FilePlace } from '../../workspace.ts'

/** The current state of a file that is about to be changed. `text` is undefined if it is not UTF-8. */
export type StoredFile = { readonly text: string | undefined; readonly hash: string; readonly mode: number }

/** The current state of a file; undefined if it does not exist. */
export async function storedFile(place: FilePlace): Promise<StoredFile | undefined> {
  const found = await fileContent(place)
  return found && { text: utf8(found.content), hash: contentHash(found.content), mode: found.mode }
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

function utf8(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
  } catch {
    return undefined
  }
}

/** The hash that identifies a content. */
export function contentHash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16)
}

/** A larger file is not read: the model would see a small part of it anyway. */
const LARGE_BYTES = 32 * 1024 * 1024

/** The content of a regular file; undefined if it does not exist. Folders are refused, and so are devices and pipes, which may never end. */
export async function fileContent(place: FilePlace): Promise<{ content: Buffer; mode: number } | undefined> {
  const found = await stat(place.real).catch(ifMissing)
  if (found === undefined) return undefined
  if (found.isDirectory()) throw new PithError('bad-argument', `${place.shown} is a folder: list it with ls`)
  if (!found.isFile()) throw new PithError('bad-argument', `${place.shown} is not a regular file: it cannot be read`)
  if (isOpenDatabase(place.real)) throw new PithError('bad-argument', `${place.shown} cannot be used: ${OPEN_DATABASE}`)
  // If the file has become a pipe or a link in the meantime, opening it neither waits nor follows the link.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)
  const file = await open(place.real, flags).catch(ifMissing)
  if (file === undefined) return undefined
  try {
    const { size, mode } = await file.stat()
    if (size > LARGE_BYTES)
      throw new PithError('bad-argument', `${place.shown} has ${bytes(size)}, too much to read: use grep or a command`)
    return { content: await file.readFile(), mode }
  } finally {
    await file.close()
  }
}

/** True when most lines of a text end in CRLF. */
export function endsInCrlf(text: string): boolean {
  const crlf = count(text, '\r\n')
  return crlf > 0 && crlf * 2 > count(text, '\n')
}

/** The text with every line end as CRLF. */
export function withCrlf(text: string): string {
  return text.replace(/\r?\n/g, '\r\n')
}

/** The text with the line ends and the byte order mark of the old one, so that the model need not care about them. */
export function inStyleOf(old: string, text: string): string {
  const lines = endsInCrlf(old) ? withCrlf(text) : text
  return old.startsWith(MARK) && !lines.startsWith(MARK) ? MARK + lines : lines
}

const MARK = '\ufeff'

function count(text: string, part: string): number {
  let found = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) found++
  return found
}

/** Creates or replaces a file in one step: other processes see the whole content or none of it. Missing folders are created. */
export async function writeAtomically(path: string, content: string | Uint8Array, mode?: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const temporary = join(dirname(path), `.pith-${randomUUID()}.tmp`)
  try {
    const file = await open(temporary, 'wx', mode === undefined ? 0o666 : 0o600)
    try {
      await file.writeFile(content)
      if (mode !== undefined) await takeOver(file, path, mode)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Copies the permissions of the replaced file and, if we may, its owner. */
async function takeOver(file: FileHandle, path: string, mode: number): Promise<void> {
  const old = await stat(path).catch(() => undefined)
  if (old !== undefined) await file.chown(old.uid, old.gid).catch(() => {})
  // Set the mode after the owner: a change of owner clears the set-uid bit.
  await file.chmod(mode & 0o7777)
}
