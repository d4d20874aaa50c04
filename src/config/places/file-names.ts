import { readdirSync } from 'node:fs'

/** The names in a folder. None if it is not there or cannot be read. */
export function fileNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
