import type { ChangedCall, Entry, Message, Part, Seq, ToolCallPart, Usage } from '../../model/types.ts'
import type { ChainMark, ChainPlace, Store } from '../../store/store.ts'
import { isClearedFrom } from './cleared-results.ts'
import { linkedParts } from './conversation.ts'

/** A message of a conversation that is not known at its place. The usage of an answer that comes from the provider itself. */
export type NewStep = { readonly message: Message; readonly value: string; readonly usage?: Usage }

/** Steps that a log has with other arguments of their calls, or with results that the agent has cleared since. */
type SameSteps = {
  /** How many steps these are. */
  readonly count: number
  /** Their entries: each has a second value now. */
  readonly marks: readonly ChainMark[]
  /** The last entry. */
  readonly seq: Seq
  /** The log ends with them. */
  readonly isEnd: boolean
  /** The client has kept the ids of all calls. */
  readonly keepsIds: boolean
  /** The calls of the last entry that have other arguments now. */
  readonly calls: readonly ChangedCall[]
}

/**
 * The steps that a log has after a place, except for arguments and cleared results. Clients change the arguments of their own calls: Claude Code
 * adds defaults and takes `cd` to the current folder out of commands. A step is the same if its texts, results and tools
 * are, in the same order, and the ids of its calls. Some clients give calls ids of their own: then the tools decide, but
 * only for the last entry of a log, because another answer may have called the same tools.
 */
function sameSteps(entries: readonly Entry[], steps: readonly NewStep[]): SameSteps | undefined {
  let same: SameSteps | undefined
  for (const [i, entry] of entries.entries()) {
    // An earlier version recorded texts that have no link any more.
    if (entry.type !== 'message' || linkedParts(entry.message).length === 0) continue
    const before = same?.count ?? 0
    const found = sameEntry(entry.message, steps.slice(before))
    const isEnd = i === entries.length - 1
    const last = steps[before + (found?.count ?? 0) - 1]
    if (found === undefined || last === undefined || (!found.keepsIds && !isEnd)) break
    // Two answers of the provider are two steps, whatever they call.
    if (last.usage !== undefined && entry.usage !== undefined) break
    same = {
      count: before + found.count,
      marks: [...(same?.marks ?? []), { value: last.value, seq: entry.seq }],
      seq: entry.seq,
      isEnd,
      keepsIds: found.keepsIds && same?.keepsIds !== false,
      calls: found.calls,
    }
  }
  return same
}

type SameEntry = Pick<SameSteps, 'count' | 'keepsIds' | 'calls'>

/** The first steps, if together they are this message: a protocol may have each part of an answer as a message of its own. */
function sameEntry(recorded: Message, steps: readonly NewStep[]): SameEntry | undefined {
  const known = linkedParts(recorded)
  const sent: { readonly part: Part; readonly link: string }[] = []
  let count = 0
  for (; sent.length < known.length && count < steps.length; count++)
    sent.push(...linkedParts((steps[count] as NewStep).message))
  if (sent.length !== known.length) return undefined
  const pairs: { readonly ran: ToolCallPart; readonly made: ToolCallPart; readonly isChanged: boolean }[] = []
  for (const [i, { part: made, link }] of known.entries()) {
    const other = sent[i]
    const ran = other?.part
    if (made.type === 'tool-call' && ran?.type === 'tool-call' && made.toolName === ran.toolName)
      pairs.push({ made, ran, isChanged: other?.link !== link })
    else if (other?.link !== link && !isClearedFrom(made, ran)) return undefined
  }
  const kept = pairs.filter(({ made, ran }) => made.toolCallId === ran.toolCallId).length
  // A client keeps all ids or none.
  if (kept > 0 && kept < pairs.length) return undefined
  const changed = pairs.filter(({ isChanged }) => isChanged)
  return {
    count,
    keepsIds: kept === pairs.length,
    calls: changed.map(({ made, ran: { toolName, input } }) => ({
      type: 'tool-call',
      toolCallId: made.toolCallId,
      toolName,
      input,
    })),
  }
}

/** A place that a conversation has reached, and the steps after it that its log has with other arguments. */
type SamePlace = SameSteps & { readonly place: ChainPlace }

/** Looks for such steps after all places where the known beginning of a conversation ends. */
export async function findSameSteps(
  store: Store,
  places: readonly ChainPlace[],
  steps: readonly NewStep[],
): Promise<SamePlace | undefined> {
  if (steps.length === 0) return undefined
  let best: SamePlace | undefined
  for (const place of places.filter(({ isEnd }) => !isEnd).slice(-MOST_PLACES)) {
    const query = { only: 'messages', from: place.seq + 1, limit: steps.length + 1 } as const
    const { entries } = await store.entries(place.session, query)
    const same = sameSteps(entries, steps)
    if (same !== undefined && isBetter(same, best)) best = { ...same, place }
  }
  return best
}

const MOST_PLACES = 50

function isBetter(one: SameSteps, other: SameSteps | undefined): boolean {
  if (other === undefined || one.keepsIds !== other.keepsIds) return other === undefined || one.keepsIds
  return one.count !== other.count ? one.count > other.count : one.isEnd
}
