import type { Entry, EntryOf } from '../../model/entry.ts'
import type { Seq } from '../../model/ids.ts'
import type { Message } from '../../model/message.ts'
import type { Usage } from '../../model/usage.ts'
import { prefixKeys } from './prefix-keys.ts'

/** A conversation that somebody else keeps, with what we know of it. */
export type Known = {
  /** Names the whole of these messages. */
  readonly key: string
  readonly log: readonly Entry[]
  /** When the request that its beginning was sent with was answered. */
  readonly answeredAt?: number
}

/** The provider's report on an answer. */
export type Report = { readonly usage: Usage; readonly model?: string; readonly at: number }

type Remembered = {
  readonly changes: readonly Entry[]
  readonly reports: ReadonlyMap<Seq, Report>
  readonly answeredAt?: number
}

const NOTHING: Remembered = { changes: [], reports: new Map() }

/**
 * Remembers what was done to conversations by the hash of the prefix it was done to, so that the same messages come to
 * the same view at the next call, and one summary serves them all. It holds changes, no messages; the least recently
 * used goes first.
 */
export class Conversations {
  readonly #known = new Map<string, Remembered>()
  readonly #most: number

  constructor(most = 256) {
    this.#most = most
  }

  get size(): number {
    return this.#known.size
  }

  /** The log of a list of messages: the changes of its longest known prefix among them. `reports` come with the list. */
  open(messages: readonly Message[], reports: ReadonlyMap<Message, Report> = new Map()): Known {
    const keys = prefixKeys(messages)
    const remembered = this.#longest(keys)
    const { answeredAt } = remembered
    return {
      key: keys.at(-1) ?? '',
      log: logOf(messages, remembered, reports),
      answeredAt,
    }
  }

  /** Remembers the log of a prefix and, once it is there, what was reported of the answer that comes next. */
  keep({ key, log }: Known, answer?: Report): void {
    const reports = new Map(
      log.flatMap((entry): [Seq, Report][] =>
        entry.type === 'message' && entry.usage !== undefined ? [[entry.seq, reportOf(entry, entry.usage)]] : [],
      ),
    )
    if (answer !== undefined) reports.set((log.at(-1)?.seq ?? 0) + 1, answer)
    const changes = log.filter((entry) => entry.type !== 'message')
    this.#known.delete(key)
    this.#known.set(key, { changes, reports, ...(answer === undefined ? {} : { answeredAt: answer.at }) })
    const [oldest] = this.#known.keys()
    if (this.#known.size > this.#most && oldest !== undefined) this.#known.delete(oldest)
  }

  #longest(keys: readonly string[]): Remembered {
    const key = keys.findLast((prefix) => this.#known.has(prefix))
    const found = key === undefined ? undefined : this.#known.get(key)
    if (key === undefined || found === undefined) return NOTHING
    this.#known.delete(key)
    this.#known.set(key, found)
    return found
  }
}

/** The messages with the changes between them: a change has its own seq, messages fill the places that are left. */
function logOf(
  messages: readonly Message[],
  { changes, reports }: Remembered,
  told: ReadonlyMap<Message, Report>,
): Entry[] {
  const log: Entry[] = []
  let next = 0
  for (const message of messages) {
    for (let change = changes[next]; change?.seq === log.length + 1; change = changes[++next]) log.push(change)
    const seq = log.length + 1
    const report = told.get(message) ?? (message.role === 'assistant' ? reports.get(seq) : undefined)
    const { usage, model, at = 0 } = report ?? {}
    log.push({
      type: 'message',
      id: `e${seq}`,
      seq,
      at,
      message,
      usage,
      model,
    })
  }
  return [...log, ...changes.slice(next)]
}

function reportOf({ model, at }: EntryOf<'message'>, usage: Usage): Report {
  return { usage, at, model }
}
