import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

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
