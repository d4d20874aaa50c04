import type { Bench, BenchContext, BenchResult, Table } from '../harness/bench.ts'
import { CONTENDERS, PEER_CONTENDERS, UNENDING } from './contenders.ts'
import { costTable } from './cost-table.ts'
import { differenceTable } from './difference-table.ts'
import { goalNotes } from './goal-notes.ts'
import { type Contender, type ContenderOutcomes, FOUND_LABEL, outcomesOf } from './outcome.ts'
import { PEERS, PLAIN } from './peers.ts'
import { PRICINGS, type Pricing, SONNET } from './prices.ts'
import { FAR_TOKENS } from './retained.ts'
import { type CostSession, type Material, materialOf, tokensOf } from './sessions.ts'

const WINDOWS = [200_000, 1_000_000] as const

/** Compares the cost of sessions under our policies and those of peers, with provider caching priced. */
export const policies: Bench = {
  name: 'cost/policies',
  what: 'What sessions would have cost under each policy, with the provider’s cache priced, and how much of what they edit and refer back to was still in view',
  run,
}

async function run({ quick, transcripts, progress }: BenchContext): Promise<BenchResult> {
  const material = await materialOf(transcripts, quick)
  const { single, long } = material
  const play = async (
    sessions: readonly CostSession[],
    window: number,
    pricing: Pricing,
    all: readonly Contender[],
  ) => {
    const outcomes: ContenderOutcomes[] = []
    for (const contender of all) {
      progress(`${contender.name}, window ${window}, ${pricing.name}`)
      outcomes.push(await outcomesOf(contender, sessions, window, pricing))
    }
    return outcomes
  }
  const tables: Table[] = [sources()]
  const notes: string[] = [materialNote(material)]
  const data: object[] = []
  const peers = PEER_CONTENDERS.map(({ name }) => name)
  for (const window of WINDOWS) {
    const played = await play(single, window, SONNET, window > 200_000 ? UNENDING : CONTENDERS)
    for (const [half, outcomes] of halvesOf(single, played)) {
      const where = `window of ${window.toLocaleString('en')}, ${half}`
      tables.push(
        costTable(upper(where), outcomes),
        differenceTable(`${upper(where)}: the default against each`, outcomes),
      )
      notes.push(...goalNotes(where, outcomes, peers))
    }
    data.push({ window, sessions: single.map(({ name, half }) => ({ name, half })), played })
  }
  for (const pricing of PRICINGS.slice(1)) {
    const outcomes = await play(single, 200_000, pricing, UNENDING)
    tables.push(costTable(`Window of 200,000, all sessions, ${pricing.name}`, outcomes))
    data.push({ window: 200_000, pricing: pricing.name, outcomes })
  }
  const joined = await play(long, 1_000_000, SONNET, UNENDING)
  tables.push(costTable('Window of 1,000,000, long sessions', joined))
  data.push({ window: 1_000_000, kind: 'long', joined })
  return { tables, notes, data }
}

/** The outcomes of each half of the sessions, those to report on first, and of all. */
function halvesOf(
  sessions: readonly CostSession[],
  played: readonly ContenderOutcomes[],
): (readonly [string, readonly ContenderOutcomes[]])[] {
  const of = (isIn: (session: CostSession) => boolean) =>
    played.map(({ name, bySession }) => ({
      name,
      bySession: bySession.filter((_, i) => sessions.some((session, at) => at === i && isIn(session))),
    }))
  const count = (half: CostSession['half']) => sessions.filter((session) => session.half === half).length
  const halves = (['reporting', 'choosing'] as const)
    .filter((half) => count(half) > 0)
    .map((half) => [`the ${count(half)} sessions for ${half}`, of((session) => session.half === half)] as const)
  return [...halves, [`all ${sessions.length} sessions`, of(() => true)] as const]
}

function upper(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

function sources(): Table {
  return {
    title: 'The peers’ policies, and where their numbers come from',
    columns: ['peer', 'reduces at', 'keeps', 'source'],
    rows: [...PEERS, PLAIN].map(({ name, trigger, keeps, source }) => [name, trigger, keeps, source]),
  }
}

function materialNote({ single, long }: Material): string {
  const sizes = [...single, ...long].map(
    (session) => `${session.name} (${session.half}, ${Math.round(tokensOf(session) / 1_000)}k)`,
  )
  return [
    `Sessions, with the half they belong to and the tokens that were said in them: ${sizes.join(', ')}.`,
    'The halves are divided by a hash of the session’s id. Settings are chosen on one half and reported on the other; the default before this division had been chosen with both in view.',
    'Messages are as large as the provider counted them, and caches last and miss as they did, if the file records it.',
    'Long sessions are recorded ones joined end to end, an hour and a half apart.',
    `Far references: a file or an identifier in the arguments of a call that was last named ${FAR_TOKENS.toLocaleString('en')} tokens or more before. It is named when it is in the view letter for letter, and found when it is there outside bare lists of names: the column “${FOUND_LABEL}”.`,
    'Every record, ours and the peers’, is the digest of this repository, with the same room beside what is kept, so that policies are compared and not summarisers; the column says how large they became. A recorded summary has 3,200 tokens. Each summarising call writes 3,200 tokens. What the model has not read yet stays under every policy.',
    'Peers that only mask are in the first tables alone: long sessions end at the window.',
    'Edited text: of the edits that name what they replace, those whose old text the view showed, of all whose old text had been seen. For each other one the agent reads the file again, as large as it was: one more request, and the text stays in the context until the next reduction, all charged to the policy.',
    'Anything else that it would have read again is not charged to any policy.',
    'Intervals are bootstrapped over sessions.',
  ].join(' ')
}
