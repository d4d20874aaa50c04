import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'

/** A file of a packed folder: its path with slashes, its permissions and its length. */
type PackedFile = { readonly path: string; readonly mode: number; readonly size: number }

/**
 * Writes a packed folder: a line of JSON with all files, then their contents, compressed as a whole. Several processes may do so
 * at once, and one may end in the middle: the folder appears only when it is complete.
 */
export function unpack(packed: Buffer, folder: string): void {
  const bytes = zstdDecompressSync(packed)
  const start = bytes.indexOf('\n') + 1
  const files: PackedFile[] = JSON.parse(bytes.toString('utf8', 0, start))
  const partial = `${folder}.${process.pid}`
  let at = start
  for (const { path, mode, size } of files) {
    const file = join(partial, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytes.subarray(at, at + size), { mode })
    at += size
  }
  try {
    renameSync(partial, folder)
  } catch (error) {
    // Another process was faster.
    rmSync(partial, { recursive: true, force: true })
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'EPERM') throw error
  }
}
