import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ContentStore } from './content-store.ts'

export type FoundFile = { readonly file: string; readonly size: number; readonly at: number }

/** The files of all kept contents, each under its hash. */
export async function contentFiles(contents: ContentStore): Promise<FoundFile[]> {
  const root = dirname(dirname(contents.pathOf('00')))
  const folders = await readdir(root).catch(() => [])
  return (await Promise.all(folders.map((folder) => filesIn(join(root, folder))))).flat()
}

/** The contents that are being written, or that a crash left half written. */
export async function draftFiles({ folder }: ContentStore): Promise<FoundFile[]> {
  return (await filesIn(folder)).filter(({ file }) => file.endsWith('.tmp'))
}

/** The files in a folder; none if it does not exist. */
export async function filesIn(folder: string): Promise<FoundFile[]> {
  const names = await readdir(folder).catch(() => [])
  const found = names.map(async (name) => {
    const file = join(folder, name)
    const { size, mtimeMs } = await stat(file)
    return { file, size, at: mtimeMs }
  })
  return (await Promise.allSettled(found)).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}
