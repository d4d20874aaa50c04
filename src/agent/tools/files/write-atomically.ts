import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Puts a content in the place of a file, or makes it, in one step: others see all of it or nothing. Folders are made. */
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

/** The rights of the file that is replaced, and its owner where we may give it away. */
async function takeOver(file: FileHandle, path: string, mode: number): Promise<void> {
  const old = await stat(path).catch(() => undefined)
  if (old !== undefined) await file.chown(old.uid, old.gid).catch(() => {})
  // After the owner: a change of owner takes away the rights of a set-uid file.
  await file.chmod(mode & 0o7777)
}
