import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Listed = { readonly messages: number; readonly calls: number; readonly compactions: number }

/** The counts that a folder's INDEX.md gives, by file name. */
export function indexOf(folder: string): ReadonlyMap<string, Listed> {
  const path = join(folder, 'INDEX.md')
  if (!existsSync(path)) return new Map()
  const rows = readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
  const header = rows.find((row) => row.includes('file')) ?? []
  const number = (row: readonly string[], name: string) => Number(row[header.indexOf(name)])
  return new Map(
    rows
      .filter((row) => Number.isInteger(number(row, 'messages')) && row.length === header.length && row !== header)
      .map((row) => [
        row[header.indexOf('file')] ?? '',
        {
          messages: number(row, 'messages'),
          calls: number(row, 'tool calls'),
          compactions: number(row, 'compactions'),
        },
      ]),
  )
}
