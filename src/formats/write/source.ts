import { oneLine } from '../../engine/text/one-line.ts'
import { viewOf } from '../../engine/view/view.ts'
import type { Entry } from '../../model/entry.ts'
import type { Message } from '../../model/message.ts'
import type { Usage } from '../../model/usage.ts'
import type { SummaryItem } from '../../model/view.ts'
import type { Decoded } from '../decoded.ts'
import { LAST_TIME } from '../json.ts'
import { settle } from '../settle.ts'

/** What is written: a log, and what is known of its session. A decoded session is one. */
export type Writable = Pick<Decoded, 'entries'> &
  Partial<Pick<Decoded, 'format' | 'title' | 'workspace' | 'version' | 'models'>>

/** Where ids and the time come from. Ids have to be UUIDs: agents refuse others. */
export type WriteDeps = { readonly ids: () => string; readonly clock: () => number }

/** A file for another agent. `place` is where that agent looks for it, from its own folder. */
export type Written = { readonly text: string; readonly sessionId: string; readonly place: string }

/** The summary that a new file begins with. */
export type Opening = {
  readonly text: string
  readonly item: SummaryItem
  readonly tokensBefore: number
  readonly isManual: boolean
}

/** A message that stays verbatim. Its usage is told only if it was counted on this very view. */
export type Kept = { readonly message: Message; readonly at: number; readonly model?: string; readonly usage?: Usage }

/** The view of a session as it is written: the summary it begins with, and the tail. */
export type Source = { readonly opening: Opening | undefined; readonly tail: readonly Kept[] }

/** Takes the view of a log apart. Calls that nobody answered get a result that says so, because a file is never in the middle of a turn. */
export function sourceOfLog(log: readonly Entry[], clock: () => number): Source {
  const settled = settle(log)
  const entries = new Map(settled.map((entry) => [entry.seq, entry]))
  const { items, revision } = viewOf(settled)
  const [first, ...rest] = items.slice()
  const opening = first?.kind === 'summary' ? openingOf(first, entries) : undefined
  const tail = opening === undefined ? items.slice() : rest
  let last = 0
  return {
    opening,
    tail: tail.map((item): Kept => {
      const entry = entries.get(item.seq)
      const said = entry?.type === 'message' ? entry : undefined
      last = Math.max(last, said?.at || clock())
      return {
        message: item.message,
        at: last,
        ...(said?.model === undefined ? {} : { model: said.model }),
        ...(said?.usage === undefined || item.seq < revision ? {} : { usage: said.usage }),
      }
    }),
  }
}

const COMPACTED = 'Compacted: '

/** What a list of sessions shows: the session's title, or what the user asked first. The frame of a summary tells nobody what it is about. */
export function titleOf({ title }: Writable, { opening, tail }: Source): string {
  const asked =
    opening?.item.index.users[0]?.text ?? tail.map(({ message }) => message).find(({ role }) => role === 'user')
  const words = title ?? (typeof asked === 'object' ? wordsOf(asked) : (asked ?? ''))
  const line = oneLine(words, 80)
  return opening === undefined || line.startsWith(COMPACTED) ? line : `${COMPACTED}${line === '' ? 'a session' : line}`
}

/** The words of a message that has no other parts worth keeping, such as a summary's. */
function wordsOf({ content }: Message): string {
  return typeof content === 'string'
    ? content
    : content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/** One JSON object a line. */
export function jsonLines(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** A time as agents write it. */
export function isoTime(at: number): string {
  return new Date(Math.abs(at) <= LAST_TIME ? at : 0).toISOString()
}

function openingOf(item: SummaryItem, entries: ReadonlyMap<number, Entry>): Opening {
  const entry = entries.get(item.seq)
  const made = entry?.type === 'compaction' ? entry : undefined
  return {
    text: wordsOf(item.message),
    item,
    tokensBefore: made?.tokensBefore ?? 0,
    isManual: made === undefined || made.reason === 'manual',
  }
}
