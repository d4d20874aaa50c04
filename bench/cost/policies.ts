import type { Bench, BenchContext, BenchResult, Table } from '../harness/bench.ts'
import { CONTENDERS, OURS, PEER_CONTENDERS, UNENDING } from './contenders.ts'
import { costTable } from './cost-table.ts'
import { goalNotes } from './goal-notes.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import { PEERS } from './peers.ts'
import { PRICINGS, type Pricing, SONNET } from './prices.ts'
import { FAR_TOKENS } from './retained.ts'
import { type CostSession, materialOf, tokensOf } from './sessions.ts'
import { splitTable } from './split-table.ts'

/** Half of the sessions are one agent's: a default that fits only those is none. */
const HALF = 'Claude Code'

export const WINDOWS = [200_000, 1_000_000] as const

/** What sessions cost under our policies and under those of peers, with provider caching priced. */
export const policies: Bench = {
  name: 'cost/policies',
  what: 'What sessions would have cost under each policy, with the provider’s cache priced, and how much of what they refer back to was still in view',
  run,
}

async function run({ quick, transcripts, progress }: BenchContext): Promise<BenchResult> {
  const { single, long } = await materialOf(transcripts, quick)
  const play = async (sessions: readonly CostSession[], window: number, pricing: Pricing, all = CONTENDERS) => {
    const outcomes: Outcome[] = []
    for (const contender of all) {
      progress(`${contender.name}, window ${window}, ${pricing.name}`)
      outcomes.push(await outcomeOf(contender, sessions, window, pricing))
    }
    return outcomes
  }
  const tables: Table[] = [sources()]
  const notes: string[] = [materialNote(single, long)]
  const data: object[] = []
  for (const window of WINDOWS) {
    for (const [kind, sessions] of [['sessions as they are', single] as const, ['long sessions', long] as const]) {
      const outcomes = await play(sessions, window, SONNET, sessions === long ? UNENDING : CONTENDERS)
      tables.push(costTable(`Window of ${window.toLocaleString('en')}, ${kind}`, outcomes))
      notes.push(
        ...goalNotes(
          `window of ${window.toLocaleString('en')}, ${kind}`,
          outcomes,
          PEER_CONTENDERS.map(({ name }) => name),
        ),
      )
      data.push({ window, kind, outcomes })
    }
  }
  const half = single.filter(({ agent }) => agent === HALF)
  const rest = single.filter(({ agent }) => agent !== HALF)
  if (half.length > 0 && rest.length > 0) {
    const some = [...OURS, ...PEER_CONTENDERS]
    const both = [await play(half, 200_000, SONNET, some), await play(rest, 200_000, SONNET, some)] as const
    tables.push(splitTable(`Window of 200,000: ${HALF} and all others, by themselves`, ...both))
  }
  for (const pricing of PRICINGS.slice(1)) {
    const some = quick ? OURS : [...OURS, ...PEER_CONTENDERS]
    const outcomes = await play(single, 200_000, pricing, some)
    tables.push(costTable(`Window of 200,000, sessions as they are, ${pricing.name}`, outcomes))
    data.push({ window: 200_000, pricing: pricing.name, outcomes })
  }
  return { tables, notes, data }
}

function sources(): Table {
  return {
    title: 'The peers’ policies, and where their numbers come from',
    columns: ['peer', 'reduces at', 'keeps', 'source'],
    rows: PEERS.map(({ name, trigger, keeps, source }) => [name, trigger, keeps, source]),
  }
}

function materialNote(single: readonly CostSession[], long: readonly CostSession[]): string {
  const sizes = [...single, ...long].map(({ name, log }) => `${name} (${Math.round(tokensOf(log) / 1_000)}k)`)
  return [
    `Sessions, with the tokens that were said in them: ${sizes.join(', ')}.`,
    'Long sessions are recorded ones joined end to end, half an hour apart.',
    `Far references: a file or an identifier in the arguments of a call that was last named ${FAR_TOKENS.toLocaleString('en')} tokens or more before, found letter for letter in the view.`,
    'Every summary, ours and the peers’, is the digest of this repository at the size of a recorded summary, so that policies are compared and not summarisers.',
    'Peers that only mask are left out of long sessions: these end at the window.',
    'Edited text: of the edits that name what they replace, those whose old text the view showed, of all whose old text had been seen. For each other one the agent reads the file again: one more request, charged to the policy.',
    'Whatever else it would have read again is not charged to anybody.',
  ].join(' ')
}
