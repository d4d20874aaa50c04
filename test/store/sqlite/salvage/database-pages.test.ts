import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { DatabasePages } from '../../../../src/store/sqlite/salvage/table-records.ts'
import { configFolders } from '../../../support/config-folders.ts'

/** A database of a few pages, and the bytes of its file. */
function database(pageSize: number): { path: string; bytes: Buffer } {
  const path = join(configFolders().workspace, 'some.db')
  const made = new DatabaseSync(path)
  made.exec(`PRAGMA page_size = ${pageSize}; CREATE TABLE a (b TEXT); INSERT INTO a VALUES ('hello')`)
  made.close()
  return { path, bytes: readFileSync(path) }
}

describe('the pages of a database file', () => {
  it.each([512, 4_096, 65_536])('of %i bytes are those of the file, from the first to the last', (size) => {
    const { path, bytes } = database(size)
    const pages = new DatabasePages(path)
    expect(pages.size).toBe(size)
    expect(pages.count).toBe(bytes.length / size)
    expect(pages.page(1)).toEqual(bytes.subarray(0, size))
    expect(pages.page(pages.count)).toEqual(bytes.subarray(-size))
    expect([pages.page(0), pages.page(pages.count + 1)]).toEqual([undefined, undefined])
  })

  it('have the size that we make if the header is damaged', () => {
    const { path, bytes } = database(4_096)
    writeFileSync(path, bytes.fill(0xff, 16, 18))
    expect(new DatabasePages(path).size).toBe(4_096)
  })
})
