import { tokensAt, tokensBetween } from '../../../tokens/sizes.ts'
import { keptIndexes } from '../../plan/kept-items.ts'
import { type CompactPlan, FILLED_RECORD } from '../../plan/plan-shape.ts'
import type { IsWorth } from '../../record/select.ts'
import type { CompactState } from '../compact-state.ts'

/** Only lines are counted; the rest is for headings and notes. */
const MARGIN = 0.995

/** The room of a record's lines: all that the tail and the kept messages leave of the target. */
export function recordRoom(
  { input, view, policy, sizes }: CompactState,
  { allowances, cut, squeezes }: CompactPlan,
): number {
  const { recordTokens = Number.POSITIVE_INFINITY } = input
  const least = allowances.recordTokens
  // If something was squeezed, it fills the rest of the room.
  if (!Number.isFinite(allowances.room) || squeezes.length > 0) return Math.min(recordTokens, least)
  const kept = keptIndexes(view, cut, policy).reduce((sum, index) => sum + tokensAt(sizes, index), 0)
  const tail = tokensBetween(sizes, cut, Math.max(cut, view.items.unread()))
  return Math.min(recordTokens, Math.max(least, Math.floor((allowances.room - kept - tail) * MARGIN)))
}

/** Up to so many tokens of record and read tail the room is always filled, and up to `FILLED_RECORD` of the record alone (bench/tried.md). */
const ALWAYS_FILLED = 16_000
/** The tokens of a recall and its answer, which a line that is there saves. */
const RECALL_TOKENS = 1_200
/** The price of a token that is written into the cache, and of one that is read from there, in that of a fresh one. */
const [WRITTEN, READ] = [1.25, 0.1]

/** Above what is always filled, a line is taken only if what it saves is more than what it costs until the next compaction. */
export function worthOf(state: CompactState, { cut }: CompactPlan): IsWorth {
  const { sizes, view } = state
  const tail = tokensBetween(sizes, cut, Math.max(cut, view.items.unread()))
  const price = WRITTEN + READ * requestsUntilNext(state)
  // A user who asks for a compaction wants to see an effect.
  const most = tokensBetween(sizes, 0, cut) / 2
  const saves = (chance: number, tokens: number) => chance * RECALL_TOKENS > tokens * price * 1_000
  return (chance, tokens, used) =>
    tail + used + tokens <= ALWAYS_FILLED ||
    used + tokens <= FILLED_RECORD ||
    (used + tokens <= most && saves(chance, tokens))
}

/** The requests until the next compaction, by the tokens that a request of this session adds. */
function requestsUntilNext({ sizes, view, budget }: CompactState): number {
  const { trigger, target } = budget
  if (trigger === undefined || target === undefined) return 0
  const answers = view.items.slice().filter(({ message }) => message.role === 'assistant').length
  const added = tokensBetween(sizes, 0, view.items.length) / Math.max(1, answers)
  return Math.max(0, trigger - target) / Math.max(1, added)
}
