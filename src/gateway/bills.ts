import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileNames } from '../config/places/file-names.ts'
import { readConfigText } from '../config/read/read-config-file.ts'
import { writePrivate } from '../config/write/write-private.ts'
import { type Bill, billSchema, type Charge, withCharge } from './recording/bill.ts'

const MOST_FILES = 300
/** A write waits for the disk: not after every request. */
const WRITE_MS = 2_000

/** The bill of one run of a gateway, in a file of the data folder. A gateway that is started again continues it. */
export class RunBill {
  readonly #file: string
  #bill: Bill
  #timer: NodeJS.Timeout | undefined

  constructor(folder: string, run: string) {
    removeOldest(join(folder, 'bills'))
    this.#file = fileOf(folder, run)
    this.#bill = billIn(this.#file) ?? { days: {} }
  }

  add(charge: Charge): void {
    this.#bill = withCharge(this.#bill, charge)
    this.#timer ??= setTimeout(() => this.write(), WRITE_MS).unref()
  }

  /** Writes what is not written yet. Without room or permission for it there is no bill, and everything else works. */
  write(): void {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    try {
      writePrivate(this.#file, JSON.stringify(this.#bill))
    } catch {
      // The next request tries again.
    }
  }
}

/** The bill of a run; undefined if it has none. */
export function billOf(folder: string, run: string): Bill | undefined {
  return billIn(fileOf(folder, run))
}

/** The bills of the last runs on this machine. */
export function storedBills(folder: string): readonly Bill[] {
  return namesIn(join(folder, 'bills')).flatMap((name) => billIn(join(folder, 'bills', name)) ?? [])
}

function fileOf(folder: string, run: string): string {
  return join(folder, 'bills', `${run}.json`)
}

function billIn(file: string): Bill | undefined {
  try {
    return billSchema.parse(JSON.parse(readConfigText(file) ?? ''))
  } catch {
    return undefined
  }
}

function namesIn(place: string): readonly string[] {
  return fileNames(place).filter((name) => name.endsWith('.json'))
}

function removeOldest(place: string): void {
  const names = namesIn(place)
  if (names.length < MOST_FILES) return
  try {
    const dated = names.map((name) => ({ file: join(place, name), at: statSync(join(place, name)).mtimeMs }))
    const old = dated.toSorted((a, b) => b.at - a.at).slice(MOST_FILES - 1)
    for (const { file } of old) rmSync(file, { force: true })
  } catch {
    // Another gateway may remove them at the same time.
  }
}
