import { existsSync, readFileSync } from 'node:fs'

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
