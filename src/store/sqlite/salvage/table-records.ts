import { existsSync, readFileSync } from 'node:fs'

export type Column = string | number | null
/** A row of a table, as it is stored in its page. */
export type TableRecord = { readonly row: number; readonly columns: readonly Column[] }

/** Pages that are leaves of a table begin with this. */
const TABLE_LEAF = 0x0d
const FIRST_PAGE_HEADER = 100

/**
 * All rows on all pages that look like leaves of a table, of any table. It does not follow the tree, so a damaged page in the
 * middle of the tree hides no rows.
 */
export function* tableRecords(pages: DatabasePages): Generator<TableRecord> {
  for (let number = 1; number <= pages.count; number++) {
    const page = pages.page(number)
    if (page === undefined) continue
    const start = number === 1 ? FIRST_PAGE_HEADER : 0
    if (page[start] !== TABLE_LEAF) continue
    const cells = page.readUInt16BE(start + 3)
    for (let cell = 0; cell < cells && start + 8 + cell * 2 + 2 <= page.length; cell++) {
      const record = recordAt(pages, page, page.readUInt16BE(start + 8 + cell * 2))
      if (record !== undefined) yield record
    }
  }
}

/** The format of SQLite's cells: <https://www.sqlite.org/fileformat2.html>, section 1.6. */
function recordAt(pages: DatabasePages, page: Buffer, at: number): TableRecord | undefined {
  try {
    const [length, afterLength] = varint(page, at)
    const [row, afterRow] = varint(page, afterLength)
    const payload = payloadOf(pages, page, afterRow, length)
    return payload === undefined ? undefined : { row, columns: columnsOf(payload) }
  } catch {
    // It points outside its page, or is longer than the page: this is not a record.
    return undefined
  }
}

/** The bytes of a record. A long record continues in a chain of its own pages. */
function payloadOf(pages: DatabasePages, page: Buffer, at: number, length: number): Buffer | undefined {
  const usable = pages.size
  if (length <= 0 || length > MOST_BYTES) return undefined
  const most = usable - 35
  if (length <= most) return at + length <= page.length ? page.subarray(at, at + length) : undefined
  const least = Math.floor(((usable - 12) * 32) / 255) - 23
  const fitting = least + ((length - least) % (usable - 4))
  const local = fitting <= most ? fitting : least
  const pieces = [page.subarray(at, at + local)]
  let left = length - local
  let next = page.readUInt32BE(at + local)
  while (left > 0) {
    const more = pages.page(next)
    if (more === undefined) return undefined
    pieces.push(more.subarray(4, 4 + Math.min(left, usable - 4)))
    left -= usable - 4
    next = more.readUInt32BE(0)
  }
  return Buffer.concat(pieces)
}

const MOST_BYTES = 1 << 30

function columnsOf(payload: Buffer): Column[] {
  const [headerLength, first] = varint(payload, 0)
  const columns: Column[] = []
  let at = headerLength
  for (let header = first; header < headerLength; ) {
    const [type, next] = varint(payload, header)
    header = next
    const [value, length] = columnOf(payload, at, type)
    columns.push(value)
    at += length
  }
  if (at !== payload.length) throw new RangeError('the columns do not end where the record does')
  return columns
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8]

function columnOf(payload: Buffer, at: number, type: number): [value: Column, length: number] {
  if (type === 0) return [null, 0]
  if (type === 8 || type === 9) return [type - 8, 0]
  if (type === 7) return [payload.readDoubleBE(at), 8]
  const bytes = INTEGER_BYTES[type]
  if (bytes !== undefined) {
    return [bytes === 8 ? Number(payload.readBigInt64BE(at)) : payload.readIntBE(at, bytes), bytes]
  }
  const length = Math.floor((type - (type % 2 === 0 ? 12 : 13)) / 2)
  if (type < 12 || at + length > payload.length) throw new RangeError('a column is longer than its record')
  return [payload.toString('utf8', at, at + length), length]
}

/** A number of up to nine bytes; the highest bit of each says that another follows. */
function varint(bytes: Buffer, at: number): [value: number, next: number] {
  let value = 0
  for (let i = 0; i < 8; i++) {
    const byte = bytes.readUInt8(at + i)
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return [value, at + i + 1]
  }
  return [value * 256 + bytes.readUInt8(at + 8), at + 9]
}

/** The pages of a database file with its write-ahead log applied. The file may be damaged; only its size has to be right. */
export class DatabasePages {
  readonly size: number
  readonly #file: Buffer
  readonly #newer: ReadonlyMap<number, Buffer>

  constructor(path: string) {
    this.#file = readFileSync(path)
    const log = existsSync(`${path}-wal`) ? readFileSync(`${path}-wal`) : Buffer.alloc(0)
    this.size = pageSize(this.#file, log)
    this.#newer = committedPages(log, this.size)
  }

  get count(): number {
    return Math.max(Math.floor(this.#file.length / this.size), ...this.#newer.keys())
  }

  /** Pages have numbers from 1 on. */
  page(number: number): Buffer | undefined {
    const known = this.#newer.get(number)
    if (known !== undefined) return known
    const from = (number - 1) * this.size
    return number >= 1 && from + this.size <= this.#file.length
      ? this.#file.subarray(from, from + this.size)
      : undefined
  }
}

const DEFAULT_SIZE = 4_096

/** The page size from the header; if that is damaged, from the write-ahead log, or else the size that we use. */
function pageSize(file: Buffer, log: Buffer): number {
  const stored = file.length >= 18 ? file.readUInt16BE(16) : 0
  const size = stored === 1 ? 65_536 : stored
  if (isSize(size)) return size
  const logged = log.length >= 12 ? log.readUInt32BE(8) : 0
  return isSize(logged) ? logged : DEFAULT_SIZE
}

function isSize(size: number): boolean {
  return size >= 512 && size <= 65_536 && (size & (size - 1)) === 0
}

const LOG_HEADER = 32
const FRAME_HEADER = 24

/** The newest committed page of each number. Frames with another salt are of an earlier log. */
function committedPages(log: Buffer, size: number): Map<number, Buffer> {
  const committed = new Map<number, Buffer>()
  let open = new Map<number, Buffer>()
  for (let at = LOG_HEADER; at + FRAME_HEADER + size <= log.length; at += FRAME_HEADER + size) {
    if (log.compare(log, 16, 24, at + 8, at + 16) !== 0) break
    open.set(log.readUInt32BE(at), log.subarray(at + FRAME_HEADER, at + FRAME_HEADER + size))
    if (log.readUInt32BE(at + 4) === 0) continue
    for (const [number, page] of open) committed.set(number, page)
    open = new Map()
  }
  return committed
}
