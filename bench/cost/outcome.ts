import { measureLog } from '../../src/engine/replay/measured-log.ts'
import { replay } from '../../src/engine/replay/replay.ts'
import { replayTotals } from '../../src/engine/replay/replay-totals.ts'
import type { ReplayedRequest } from '../../src/engine/replay/replayed-request.ts'
import type { Prices } from '../../src/model/model-info.ts'
import type { PolicyPatch } from '../../src/model/policy.ts'
import type { Sequence } from '../../src/model/sequence.ts'
import type { Item } from '../../src/model/view.ts'
import { EditCounter } from './edit-counter.ts'
import { type Edit, editsIn } from './edits.ts'
import type { PeerPolicy } from './peer-policy.ts'
import { type Played, playPeer } from './play-peer.ts'
import type { Pricing } from './prices.ts'
import { type Reference, referencesIn } from './references.ts'
import { RetentionCounter } from './retained.ts'
import type { CostSession } from './sessions.ts'

/** A policy that is replayed: one of ours by its settings, or a peer's. */
export type Contender = { readonly name: string } & ({ readonly policy: PolicyPatch } | { readonly peer: PeerPolicy })

/** What some sessions came to under a policy, all together. */
export type Outcome = {
  readonly name: string
  readonly sessions: number
  readonly requests: number
  /** US dollars, and what of them each part is. */
  readonly cost: number
  readonly reads: number
  readonly writes: number
  readonly outputs: number
  readonly summaries: number
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly compactions: number
  readonly masks: number
  readonly peak: number
  /** Sessions with a request that would not have fitted into the window. */
  readonly overflows: number
  /** References to what was named long ago, and how many of them found it in the view. */
  readonly references: number
  readonly kept: number
  /** Edits of text that had been seen, how many of them saw it in the view, and what it cost to read the rest again. */
  readonly edits: number
  readonly editsSeen: number
  readonly readAgain: number
}

type Measured = {
  readonly log: ReturnType<typeof measureLog>
  readonly references: ReadonlyMap<number, readonly Reference[]>
  readonly edits: ReadonlyMap<number, readonly Edit[]>
}

const measured = new WeakMap<CostSession, Measured>()

/** What a session says, counted once for all replays. */
function measureOf(session: CostSession): Measured {
  const known = measured.get(session)
  if (known !== undefined) return known
  const log = measureLog(session.log, {}, { system: session.system })
  const made = { log, references: referencesIn(log), edits: editsIn(log) }
  measured.set(session, made)
  return made
}

/** Replays sessions under a policy for a window. */
export async function outcomeOf(
  contender: Contender,
  sessions: readonly CostSession[],
  window: number,
  pricing: Pricing,
): Promise<Outcome> {
  let sum: Outcome = { ...NOTHING, name: contender.name }
  for (const session of sessions) sum = added(sum, await playOne(contender, session, window, pricing))
  return sum
}

async function playOne(contender: Contender, session: CostSession, window: number, pricing: Pricing): Promise<Outcome> {
  const { log, references, edits } = measureOf(session)
  const counter = new RetentionCounter(references)
  const { prices, cacheLifetimeMs } = pricing
  const editCounter = new EditCounter(edits, prices)
  const input = {
    measured: log,
    model: { contextWindow: window, prices },
    cacheLifetimeMs,
    onRequest: (request: ReplayedRequest, items: Sequence<Item>) => {
      counter.request(request.seq, items)
      editCounter.request(request, items)
    },
  }
  const played: Played =
    'peer' in contender
      ? await playPeer({ ...input, peer: contender.peer })
      : { ...(await replay(session.log, { ...input, policy: contender.policy })), window }
  const { kept, of } = counter.result()
  const { seen, of: all, readAgain } = editCounter.result()
  const totals = totalsOf(played, prices)
  const asked = { name: contender.name, kept, references: of, edits: all, editsSeen: seen, readAgain }
  return { ...totals, ...asked, cost: totals.cost + readAgain }
}

type Totals = Omit<Outcome, 'name' | 'kept' | 'references' | 'edits' | 'editsSeen' | 'readAgain'>

function totalsOf(played: Played, prices: Prices): Totals {
  const totals = replayTotals(played)
  const sum = (value: (request: ReplayedRequest) => number) => played.requests.reduce((all, one) => all + value(one), 0)
  const price = (tokens: number, perMillion = prices.input) => (tokens * perMillion) / 1e6
  const reads = sum(({ cacheRead }) => price(cacheRead, prices.cacheRead))
  const writes = sum(({ cacheWrite }) => price(cacheWrite, prices.cacheWrite))
  const outputs = sum(({ output }) => price(output, prices.output))
  const summaries = sum(({ compacted }) => compacted?.cost ?? 0)
  const { requests, inputTokens, cacheReadTokens, compactions, masks, peak, overflowsAt } = totals
  return {
    sessions: 1,
    requests,
    cost: reads + writes + outputs + summaries,
    reads,
    writes,
    outputs,
    summaries,
    inputTokens,
    cacheReadTokens,
    compactions,
    masks,
    peak,
    overflows: overflowsAt === undefined ? 0 : 1,
  }
}

const NOTHING: Omit<Outcome, 'name'> = {
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
  peak: 0,
  overflows: 0,
  references: 0,
  kept: 0,
  edits: 0,
  editsSeen: 0,
  readAgain: 0,
}

function added(a: Outcome, b: Outcome): Outcome {
  const keys = Object.keys(NOTHING) as (keyof typeof NOTHING)[]
  const sums = keys.map((key) => [key, key === 'peak' ? Math.max(a.peak, b.peak) : a[key] + b[key]])
  return { ...a, ...Object.fromEntries(sums) }
}
