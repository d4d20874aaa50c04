import { readStoredEntry } from './rows/stored-entry.ts'
import type { SessionId } from './store.ts'

/** The result of a check of a store. `isDamaged`: something in it cannot be read; otherwise entries may still be missing, as after a salvage. */
export type StoreCheck = {
  readonly sessions: number
  readonly entries: number
  readonly problems: readonly string[]
  readonly isDamaged: boolean
}

/** The most problems that are listed. */
const MOST = 50

/** Collects the rows of a check: first entries in the order of their sessions, then the sessions. */
export class StoreReading {
  #sessions = 0
  #entries = 0
  #isDamaged = false
  readonly #problems: string[] = []
  /** How many entries of each session could be read, and the highest seq. */
  readonly #logs = new Map<SessionId, { count: number; last: number }>()

  problem(text: string): void {
    this.#isDamaged = true
    this.gap(text)
  }

  /** Something that is missing or about to be, while all that is there can be read. */
  gap(text: string): void {
    if (this.#problems.length < MOST) this.#problems.push(text)
  }

  entry(session: SessionId, seq: number, body: string, facts: string | null): void {
    this.#entries++
    const log = this.#logs.get(session) ?? { count: 0, last: 0 }
    this.#logs.set(session, { count: log.count + 1, last: Math.max(log.last, seq) })
    const entry = readStoredEntry({ body, facts }, seq)
    if (typeof entry === 'string') this.problem(`session ${session}, entry #${seq}: ${entry}`)
  }

  /** `shared`: how many entries its parent has for it. */
  session(id: SessionId, lastSeq: number, shared: number): void {
    this.#sessions++
    const { count, last } = this.#logs.get(id) ?? { count: 0, last: shared }
    if (count !== lastSeq - shared || last > lastSeq)
      this.gap(`session ${id}: ${count} of ${lastSeq - shared} entries are there`)
  }

  get check(): StoreCheck {
    return { sessions: this.#sessions, entries: this.#entries, problems: this.#problems, isDamaged: this.#isDamaged }
  }
}
