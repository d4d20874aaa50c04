import { appended, type LogDeps } from '../../engine/context/view/log.ts'
import type { FoldedLog } from '../../engine/context/view/plain-view.ts'
import { repairDraft } from '../../engine/context/view/repair.ts'
import { foldLog } from '../../engine/context/view/view-of.ts'
import { type RecordSeal, withSeal } from '../../engine/record/record-place.ts'
import { oneLine } from '../../model/text.ts'
import {
  type Entry,
  type EntryOf,
  type Message,
  type SummaryItem,
  textOf,
  type Usage,
  type UserWords,
} from '../../model/types.ts'
import type { AgentFile, WriteDeps, WriteInput } from './format.ts'
import { LAST_TIME } from './json.ts'
import { recordField } from './own-record.ts'
import { markedMessage, markedSummary } from './user-words.ts'

/** The view of a session as it is written: the summary that it begins with, and the tail. */
type ViewParts = { readonly opening: OpeningSummary | undefined; readonly tail: readonly KeptMessage[] }

/** The summary that a new file begins with. */
export type OpeningSummary = {
  readonly text: string
  readonly item: SummaryItem
  /** The facts of the record as a field, for an agent that keeps unknown fields. */
  readonly field: Readonly<Record<string, unknown>>
  readonly tokensBefore: number
  readonly isManual: boolean
}

/** A message that stays verbatim. It has its usage only if that was counted on this very view. */
export type KeptMessage = {
  readonly message: Message
  readonly userWords?: readonly UserWords[]
  readonly at: number
  readonly model?: string
  readonly usage?: Usage
}

/** Splits the view of a log. Open calls get a result that says so, because a file is never in the middle of a turn. */
export function viewPartsOf(log: readonly Entry[], { clock, seal }: Omit<WriteDeps, 'ids'>): ViewParts {
  const { log: whole, view } = answeredLog(log)
  const entries = new Map(whole.map((entry) => [entry.seq, entry]))
  const { items, revision } = view
  const [first, ...rest] = items.slice()
  const after = new Set(rest.map(({ seq }) => seq))
  const lastSeq = whole.at(-1)?.seq ?? 0
  const opening =
    first?.kind === 'summary'
      ? {
          ...openingOf(first, entries, seal),
          field: recordField(first.index, lastSeq, after, compactionIn(entries, first)),
        }
      : undefined
  const tail = opening === undefined ? items.slice() : rest
  let last = 0
  return {
    opening,
    tail: tail.map((item): KeptMessage => {
      const entry = entries.get(item.seq)
      const { at, model, usage } = entry?.type === 'message' ? entry : {}
      last = Math.max(last, at || clock())
      const counted = { at: last, model, usage: item.seq < revision ? undefined : usage }
      if (item.kind === 'summary') return { message: markedSummary(item), ...counted }
      return { message: markedMessage(item), userWords: item.userWords, ...counted }
    }),
  }
}

/** The beginning of the title of a compacted copy. */
export const COMPACTED = 'Compacted: '

/** The title in a list of sessions: that of the session, or the first prompt of the user. The text around a summary does not say what the session is about. */
export function titleOf({ title }: WriteInput, { opening, tail }: ViewParts): string {
  const asked =
    opening?.item.index.users[0]?.text ?? tail.map(({ message }) => message).find(({ role }) => role === 'user')
  const words = title ?? (typeof asked === 'object' ? textOf(asked) : (asked ?? ''))
  const line = oneLine(words, 80)
  return opening === undefined || line.startsWith(COMPACTED) ? line : `${COMPACTED}${line === '' ? 'a session' : line}`
}

/** The text of a summary, with a seal if it is a record of ours. */
export function sealedRecord({ frame }: SummaryItem, text: string, seal: RecordSeal | undefined): string {
  return frame === 'pith' ? withSeal(text, seal) : text
}

function openingOf(
  item: SummaryItem,
  entries: ReadonlyMap<number, Entry>,
  seal: RecordSeal | undefined,
): Omit<OpeningSummary, 'field'> {
  const compaction = compactionIn(entries, item)
  return {
    text: sealedRecord(item, textOf(item.message), seal),
    item,
    tokensBefore: compaction?.tokensBefore ?? 0,
    isManual: compaction === undefined || compaction.reason === 'manual',
  }
}

function compactionIn(entries: ReadonlyMap<number, Entry>, { seq }: SummaryItem): EntryOf<'compaction'> | undefined {
  const entry = entries.get(seq)
  return entry?.type === 'compaction' ? entry : undefined
}

/** A file that no agent looks for: it has a new id and is named after it. */
export function fileWithNewId(text: string, { ids }: WriteDeps, extension: string): AgentFile {
  const sessionId = ids()
  return { text, sessionId, place: `${sessionId}.${extension}` }
}

/** One JSON object per line. */
export function jsonLines(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** A time as agents write it. */
export function isoTime(at: number): string {
  return new Date(Math.abs(at) <= LAST_TIME ? at : 0).toISOString()
}

/** Gives every call without a result one that says so, for the log of a session that has ended. */
export function answerOpenCalls(log: readonly Entry[], deps: LogDeps = {}): readonly Entry[] {
  return answeredLog(log, deps).log
}

/** The same, together with the folded log, so that no record is rendered twice. */
export function answeredLog(log: readonly Entry[], deps: LogDeps = {}): FoldedLog & { readonly log: readonly Entry[] } {
  const folded = foldLog(log)
  const repair = repairDraft(folded.view.items.slice())
  if (repair === undefined) return { log, ...folded }
  const whole = appended(log, [repair], deps)
  return { log: whole, ...foldLog(whole, folded.made) }
}
