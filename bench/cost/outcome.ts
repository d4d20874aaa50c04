import { type ListRemover, listRemover } from '../../src/eval/probes/name-lists.ts'
import type { Items } from '../../src/model/items.ts'
import type { PolicyPatch } from '../../src/model/policy/policy.ts'
import type { Prices, Usage } from '../../src/model/types.ts'
import { replay, replayTotals } from '../../src/study/replay/replay.ts'
import { type ReplayedRequest, RequestMeter } from '../../src/study/replay/request-meter.ts'
import { messageTokens } from '../../src/tokens/estimate/estimator.ts'
import { type BlockChoice, BlockKeeper } from './blocks/block-keeper.ts'
import { EditCounter } from './edit-counter.ts'
import { type Edit, editsIn } from './edits.ts'
import type { PeerPolicy } from './peer-policy.ts'
import { type Played, playPeer } from './play-peer.ts'
import type { Pricing } from './prices.ts'
import { type Reference, referencesIn } from './references.ts'
import { RetentionCounter } from './retained.ts'
import type { CostSession } from './sessions.ts'

/** A policy that is replayed: one of ours by its settings, or a peer's. */
export type Contender = { readonly name: string } & (
  | {
      readonly policy: PolicyPatch
      /** The blocks that a record keeps in addition. */
      readonly blocks?: BlockChoice
    }
  | { readonly peer: PeerPolicy }
)

/** The cost and retention of one session under a policy, or of several added up. */
export type Outcome = {
  readonly sessions: number
  readonly requests: number
  /** US dollars in all; `reads`, `writes`, `outputs` and `summaries` are parts of it. */
  readonly cost: number
  readonly reads: number
  readonly writes: number
  readonly outputs: number
  readonly summaries: number
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly compactions: number
  readonly masks: number
  /** Compactions and masks inside a chain of calls, not at an end of work. */
  readonly insideChain: number
  readonly peak: number
  /** Sessions with a request that would not have fitted into the window. */
  readonly overflows: number
  /** References to things last named long ago; how many of these are anywhere in the view, and how many outside bare lists of names. */
  readonly references: number
  readonly named: number
  readonly found: number
  /** Edits of text that had been seen before, how many of them had it in the view, and the cost of reading the rest again. */
  readonly edits: number
  readonly editsSeen: number
  readonly readAgain: number
  /** The tokens of all records when they were new, and how many there were. */
  readonly recordTokens: number
  readonly records: number
  /** All references, and how many of these are in the view outside bare lists of names. */
  readonly allReferences: number
  readonly allFound: number
}

/** The outcome of each session under one policy, in the order of the sessions. */
export type ContenderOutcomes = { readonly name: string; readonly bySession: readonly Outcome[] }

type Measured = {
  readonly references: ReadonlyMap<number, readonly Reference[]>
  readonly edits: ReadonlyMap<number, readonly Edit[]>
  readonly withoutLists: ListRemover
}

const measured = new WeakMap<CostSession, Measured>()

/** The references and edits of a session. Searched once and kept, since every policy replays the same session. */
function measureOf(session: CostSession): Measured {
  const known = measured.get(session)
  if (known !== undefined) return known
  const withoutLists = listRemover(session.measured.messages.map(({ message }) => message))
  const made = { references: referencesIn(session.measured), edits: editsIn(session.measured), withoutLists }
  measured.set(session, made)
  return made
}

/** Replays each session under a policy for a window. */
export async function outcomesOf(
  contender: Contender,
  sessions: readonly CostSession[],
  window: number,
  pricing: Pricing,
): Promise<ContenderOutcomes> {
  const bySession: Outcome[] = []
  for (const session of sessions) bySession.push(await playOne(contender, session, window, pricing))
  return { name: contender.name, bySession }
}

async function playOne(contender: Contender, session: CostSession, window: number, pricing: Pricing): Promise<Outcome> {
  const { references, edits, withoutLists } = measureOf(session)
  const counter = new RetentionCounter(references, withoutLists)
  const { prices, cacheLifetimeMs } = pricing
  const input = { measured: session.measured, model: { contextWindow: window, prices }, cacheLifetimeMs }
  const meter = new RequestMeter(input)
  const costOf = (usage: Usage) => meter.cost(usage) ?? 0
  const editCounter = new EditCounter(edits, costOf)
  const near = new RetentionCounter(references, withoutLists, 0)
  const choice = 'blocks' in contender ? contender.blocks : undefined
  const keeper = choice && new BlockKeeper(session.measured, choice, measureOf(session), costOf)
  let recordTokens = 0
  let records = 0
  const onRequest = (request: ReplayedRequest, own: Items) => {
    const items = keeper?.request(request, own) ?? own
    counter.request(request.seq, items)
    near.request(request.seq, items)
    editCounter.request(request, items)
    if (request.compacted?.call === undefined) return
    const made = items.slice().filter(({ kind }) => kind === 'summary')
    recordTokens += made.reduce((sum, { message }) => sum + messageTokens(message, session.measured.estimator), 0)
    records++
  }
  const played: Played =
    'peer' in contender
      ? await playPeer({ ...input, onRequest, peer: contender.peer })
      : { ...(await replay([], { ...input, onRequest, policy: contender.policy })), window }
  const { of, ...retained } = counter.result()
  const { seen, of: all, readAgain } = editCounter.result()
  const totals = totalsOf(played, prices)
  const asked = { references: of, ...retained, edits: all, editsSeen: seen, readAgain, recordTokens, records }
  const { of: allReferences, found: allFound } = near.result()
  const cost = totals.cost + readAgain + (keeper?.cost ?? 0)
  return { ...totals, ...asked, allReferences, allFound, cost }
}

type Totals = Omit<
  Outcome,
  | 'found'
  | 'named'
  | 'references'
  | 'edits'
  | 'editsSeen'
  | 'readAgain'
  | 'recordTokens'
  | 'records'
  | 'allReferences'
  | 'allFound'
>

function totalsOf(played: Played, prices: Prices): Totals {
  const totals = replayTotals(played)
  const sum = (value: (request: ReplayedRequest) => number) => played.requests.reduce((all, one) => all + value(one), 0)
  const price = (tokens: number, perMillion = prices.input) => (tokens * perMillion) / 1e6
  const reads = sum(({ cacheRead }) => price(cacheRead, prices.cacheRead))
  const outputs = sum(({ output }) => price(output, prices.output))
  const all = sum(({ cost = 0 }) => cost)
  const summaries = sum(({ compacted }) => compacted?.cost ?? 0)
  const { requests, inputTokens, cacheReadTokens, compactions, masks, insideChain, peak, overflowsAt } = totals
  return {
    sessions: 1,
    requests,
    cost: all + summaries,
    reads,
    writes: all - reads - outputs,
    outputs,
    summaries,
    inputTokens,
    cacheReadTokens,
    compactions,
    masks,
    insideChain,
    peak,
    overflows: overflowsAt === undefined ? 0 : 1,
  }
}

const NOTHING: Outcome = {
  sessions: 0,
  requests: 0,
  cost: 0,
  reads: 0,
  writes: 0,
  outputs: 0,
  summaries: 0,
  inputTokens: 0,
  cacheReadTokens: 0,
  compactions: 0,
  masks: 0,
  insideChain: 0,
  peak: 0,
  overflows: 0,
  references: 0,
  named: 0,
  found: 0,
  edits: 0,
  editsSeen: 0,
  readAgain: 0,
  recordTokens: 0,
  records: 0,
  allReferences: 0,
  allFound: 0,
}

/** Adds up outcomes; the peak is the highest of them. */
export function sumOf(outcomes: readonly Outcome[]): Outcome {
  return outcomes.reduce(added, NOTHING)
}

function added(a: Outcome, b: Outcome): Outcome {
  const keys = Object.keys(NOTHING) as (keyof Outcome)[]
  const sums = keys.map((key) => [key, key === 'peak' ? Math.max(a.peak, b.peak) : a[key] + b[key]])
  return { ...a, ...Object.fromEntries(sums) }
}

/** The label of `foundPercent` in tables. It keeps its old name because the docs read the committed results by it. */
export const FOUND_LABEL = 'far references told'

/** Of the far references, the percentage whose target is in the view outside bare lists of names. */
export function foundPercent({ found, references }: Outcome): number {
  return references === 0 ? 100 : (100 * found) / references
}

/** Of the edits of text seen before, the percentage that had it in the view. */
export function editsPercent({ editsSeen, edits }: Outcome): number {
  return edits === 0 ? 100 : (100 * editsSeen) / edits
}
