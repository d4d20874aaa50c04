import type { CompactEvent } from '../../model/compact-result.ts'
import { unreachable } from '../../model/problems/errors.ts'
import type { Entry, EntryOf, Seq } from '../../model/types.ts'
import type { BadRow, SessionId } from '../../store/store.ts'
import type { SessionSkipReason } from '../compaction/compact-session.ts'

/** An event of a session. One with a `seq` is in the log; the others belong to this process and this moment. */
export type SessionEvent = LogEvent | ProgressEvent

/**
 * An event of the log. Each entry comes as an `entry`, for readers that keep a copy of the log, and once more by its meaning,
 * for readers that show it. A row that cannot be read comes as a `bad-row` instead. The events come from every process and
 * begin at any seq.
 */
export type LogEvent =
  | { readonly type: 'entry'; readonly session: SessionId; readonly seq: Seq; readonly entry: Entry }
  | { readonly type: 'bad-row'; readonly session: SessionId; readonly seq: Seq; readonly row: BadRow }
  | EntryEvent

/** The meaning of an entry. A `compaction-failed` right before a `compacted` means that the models failed and a digest was made instead. */
export type EntryEvent = { readonly session: SessionId; readonly seq: Seq; readonly at: number } & (
  | ({ readonly type: 'message' } & Pick<EntryOf<'message'>, 'message' | 'usage' | 'model'>)
  | ({ readonly type: 'compacted'; readonly tokensSaved: number } & Pick<EntryOf<'compaction'>, CompactedKey>)
  | ({ readonly type: 'compaction-failed' | 'compaction-cancelled' | 'compaction-skipped' } & Attempt)
  | ({ readonly type: 'answer-void' } & Pick<EntryOf<'void'>, 'reason' | 'model' | 'usage' | 'task'>)
  | ({ readonly type: 'masked'; readonly tokensSaved: number } & Pick<EntryOf<'mask'>, MaskedKey>)
  | ({ readonly type: 'squeezed' } & Pick<EntryOf<'squeeze'>, SqueezedKey>)
  | ({ readonly type: 'edited' } & Pick<EntryOf<'edit'>, 'of' | 'summary'>)
  | { readonly type: 'undone' | 'redone'; readonly of: Seq }
  | ({ readonly type: 'repaired' } & Pick<EntryOf<'repair'>, 'changes'>)
  | { readonly type: 'redacted'; readonly target: Seq }
  | { readonly type: 'pinned' | 'unpinned'; readonly target: Seq }
  | ({ readonly type: 'left-out' } & Pick<EntryOf<'leave-out'>, LeftOutKey>)
  | ({ readonly type: 'put-back' } & Pick<EntryOf<'put-back'>, 'leaveOuts' | 'tokensBefore' | 'tokensAfter'>)
  | ({ readonly type: 'settings' } & Pick<EntryOf<'settings'>, 'model' | 'policy' | 'title' | 'reasoning' | 'compact'>)
  | ({ readonly type: 'todos' } & Pick<EntryOf<'todo'>, 'items'>)
  | ({ readonly type: 'files-kept' } & Pick<EntryOf<'checkpoint'>, 'files' | 'rewind'>)
)

/** An event that is not in the log. After the first step of a compaction, `start`, one event reports how it ended. */
export type ProgressEvent = { readonly session: SessionId; readonly seq?: undefined } & (
  | { readonly type: 'compaction'; readonly event: CompactEvent }
  | { readonly type: 'compaction-failed'; readonly reason: string }
  | {
      readonly type: 'compaction-skipped'
      readonly reason: string
      readonly skip?: SessionSkipReason
      /** The holder that already works in the session. */
      readonly busy?: string
    }
)

type CompactedKey = 'reason' | 'rung' | 'messages' | 'tokensBefore' | 'tokensAfter' | 'model' | 'cost'
type MaskedKey = 'targets' | 'tokensBefore' | 'tokensAfter'
type LeftOutKey = 'targets' | 'requestedBy' | 'what' | 'waits' | 'tokensBefore' | 'tokensAfter'
type SqueezedKey = 'squeezes' | 'tokensBefore' | 'tokensAfter'
type Attempt = Pick<EntryOf<'attempt'>, 'reason' | 'model' | 'usage' | 'cost'>

/** The event of an entry. `undoes` is the type of the entry that an undo names. */
export function eventOf(session: SessionId, entry: Entry, undoes?: Entry['type']): EntryEvent {
  const { id: _, ...rest } = entry
  const base = { session, seq: entry.seq, at: entry.at }
  switch (rest.type) {
    case 'message':
      return { ...base, type: 'message', ...given(rest, 'message', 'usage', 'model') }
    case 'compaction':
      return { ...base, type: 'compacted', tokensSaved: savedBy(rest), ...given(rest, ...COMPACTED) }
    case 'attempt':
      return { ...base, type: `compaction-${rest.outcome}`, ...given(rest, 'reason', 'model', 'usage', 'cost') }
    case 'void':
      return { ...base, type: 'answer-void', ...given(rest, 'reason', 'model', 'usage', 'task') }
    case 'mask':
      return { ...base, type: 'masked', tokensSaved: savedBy(rest), ...given(rest, ...MASKED) }
    case 'squeeze':
      return { ...base, type: 'squeezed', ...given(rest, 'squeezes', 'tokensBefore', 'tokensAfter') }
    case 'edit':
      return { ...base, type: 'edited', of: rest.of, summary: rest.summary }
    case 'undo':
      return { ...base, type: undoes === 'undo' ? 'redone' : 'undone', of: rest.of }
    case 'repair':
      return { ...base, type: 'repaired', changes: rest.changes }
    case 'redact':
      return { ...base, type: 'redacted', target: rest.target }
    case 'pin':
      return { ...base, type: rest.on ? 'pinned' : 'unpinned', ...given(rest, 'target', 'back') }
    case 'leave-out':
      return { ...base, type: 'left-out', ...given(rest, ...LEFT_OUT) }
    case 'put-back':
      return { ...base, type: 'put-back', ...given(rest, 'leaveOuts', 'tokensBefore', 'tokensAfter') }
    case 'settings':
      return { ...base, type: 'settings', ...given(rest, 'model', 'policy', 'title', 'reasoning', 'compact') }
    case 'todo':
      return { ...base, type: 'todos', items: rest.items }
    case 'checkpoint':
      return { ...base, type: 'files-kept', ...given(rest, 'files', 'rewind') }
    default:
      return unreachable(rest)
  }
}

const COMPACTED = ['reason', 'rung', 'messages', 'tokensBefore', 'tokensAfter', 'model', 'cost'] as const
const LEFT_OUT = ['targets', 'requestedBy', 'what', 'waits', 'tokensBefore', 'tokensAfter'] as const
const MASKED = ['targets', 'tokensBefore', 'tokensAfter'] as const

function savedBy({ tokensBefore, tokensAfter }: { tokensBefore: number; tokensAfter: number }): number {
  return Math.max(0, tokensBefore - tokensAfter)
}

/** The fields that are defined. */
function given<T extends object, K extends keyof T>(from: T, ...keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]]))) as Pick<T, K>
}
