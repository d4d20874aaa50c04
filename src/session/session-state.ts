import { type Breaker, breakerOf } from '../engine/context/context.ts'
import { statusOf, type ViewFacts } from '../engine/context/open-context.ts'
import { inactiveSeqs } from '../engine/context/view/activity.ts'
import { currentFiles } from '../engine/extract/current-files.ts'
import { indexDelta } from '../engine/extract/index-delta.ts'
import { mergeIndexes, todosOf } from '../model/facts/log-index.ts'
import type { PolicyPatch } from '../model/policy/policy.ts'
import type { Entry, EntryOf, FileFact, Fixed, ModelInfo, Todo } from '../model/types.ts'
import type { SessionId, Store } from '../store/store.ts'
import type { Status } from '../tokens/status.ts'
import type { OpenSession } from './open-session.ts'

/** One compaction of a session's history. */
export type CompactionRecord = Pick<
  EntryOf<'compaction'>,
  | 'seq'
  | 'at'
  | 'reason'
  | 'rung'
  | 'tokensBefore'
  | 'tokensAfter'
  | 'messages'
  | 'model'
  | 'usage'
  | 'cost'
  | 'refusal'
> & { readonly undone: boolean }

/** Facts about a session in addition to its messages. All are folded from the log, so that they always agree with it. */
export type SessionState = {
  /** How full the context is. */
  readonly status: Status
  /** The to-do list as last written, by an entry of its own or by a tool. */
  readonly todos: readonly Todo[]
  /** The files that the session read and modified. */
  readonly files: readonly FileFact[]
  readonly breaker: Breaker
  readonly compactions: readonly CompactionRecord[]
}

export type StateOptions = {
  readonly model?: Partial<ModelInfo>
  readonly fixed?: Fixed
  readonly policy?: PolicyPatch
}

/** The state of an open session. */
export function stateOf(open: Pick<OpenSession, 'log' | 'view'>, options: StateOptions = {}): SessionState {
  return { ...stateWithoutStatus(open), status: statusOf(open.log, options) }
}

/**
 * The state of an open session without its status, for a caller that has the status already. `facts`: the facts of its view, if
 * the caller has them. Finding them takes a second in a long session.
 */
export function stateWithoutStatus(
  { log, view }: Pick<OpenSession, 'log' | 'view'>,
  facts?: ViewFacts,
): Omit<SessionState, 'status'> {
  const items = view.items.slice()
  const index = mergeIndexes([
    ...items.flatMap((item) => (item.kind === 'summary' ? [item.index] : [])),
    indexDelta(items, facts?.items === view.items ? facts.found.slice() : []),
    {
      todos: log.flatMap((entry) =>
        entry.type === 'todo' ? [{ kind: 'list', seq: entry.seq, items: entry.items }] : [],
      ),
    },
  ])
  return {
    todos: todosOf(index),
    files: currentFiles(index),
    breaker: breakerOf(log),
    compactions: compactionsOf(log),
  }
}

/**
 * Every compaction in the log, in order, including those that were undone. A digest after a refused summary has the usage and
 * the cost of the attempt, which comes before it in the log.
 */
export function compactionsOf(log: readonly Entry[]): CompactionRecord[] {
  const inactive = inactiveSeqs(log)
  let attempt: EntryOf<'attempt'> | undefined
  return log.flatMap((entry) => {
    if (entry.type === 'attempt') attempt = entry
    if (entry.type !== 'compaction') return []
    const { seq, at, reason, rung, tokensBefore, tokensAfter, messages, model, refusal } = entry
    const { usage, cost } = refusal === undefined ? entry : (attempt ?? entry)
    const undone = inactive.has(seq)
    return [{ seq, at, reason, rung, tokensBefore, tokensAfter, messages, model, usage, cost, refusal, undone }]
  })
}

/** How far back an answer is looked for. */
const NEWEST = 100

/** The model that gave the session's last answer; undefined when none of the newest entries is an answer. */
export async function answeringModel(store: Store, id: SessionId): Promise<string | undefined> {
  const { entries } = await store.entries(id, { order: 'newest', limit: NEWEST, light: true })
  const last = entries.findLast((entry) => entry.type === 'message' && entry.model !== undefined)
  return last?.type === 'message' ? last.model : undefined
}
