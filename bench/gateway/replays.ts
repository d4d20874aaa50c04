import { loadavg } from 'node:os'
import { madeUpSession } from '../cost/made-up.ts'
import { costSession, recordedSessions, type SessionSource, tokensOf } from '../cost/sessions.ts'
import type { Bench, BenchContext, Cell, Table } from '../harness/bench.ts'
import { MADE_UP_PROMPT } from './made-up-prompt.ts'
import { COST_KINDS, type CostKind, type Replayed, type ReplayWay, replay } from './replay.ts'
import { REPLAY_CLIENTS, type ReplayClient } from './replay-client.ts'

const WAYS: readonly ReplayWay[] = ['direct', 'observe', 'answer', 'rewrite']

type Run = { readonly session: string; readonly client: string; readonly ways: Readonly<Record<ReplayWay, Replayed>> }

/** Sessions replayed request by request, with and without a gateway. */
export const replays: Bench = {
  name: 'gateway/replay',
  what: 'The requests that a provider sees and their price when the same sessions are replayed directly and through the gateway, request by request.',
  async run(context) {
    const runs = await allRuns(context)
    return {
      tables: [bytesTable(runs), costTable(runs), kindsTable(runs), prefixTable(runs)],
      notes: [
        ...NOTES,
        ...(context.transcripts.length > 0 ? [] : [NO_RECORDED]),
        ...missed(runs),
        `Load of the machine during the run: ${loadavg()[1]?.toFixed(1)}. It does not change these numbers.`,
      ],
      data: runs,
    }
  },
}

const NO_RECORDED =
  'No recorded session was replayed: PITH_TRANSCRIPTS (or `--transcripts`) names the folders that have some, and is not set.'

const NOTES = [
  'The provider is a local server: a cache of prefixes with the provider’s rules (Anthropic: at marks, looking back twenty blocks; OpenAI: any shared beginning), at least 1,024 tokens, five minutes (Anthropic) or ten (OpenAI) by the times in the log. Window 200,000; the clients compact by themselves at 160,000 counted tokens; default settings of the gateway.',
  'The clients’ own summaries have the size of recorded ones (4,000 tokens); those for Pith are brief, as its directive asks. Codex’s compaction is sent with its tools, so that it is cached. Reasoning and images are not replayed. Results are cut at 60,000 characters.',
  'The ratios depend on these sizes: with a summary that Pith’s check refuses, which is paid anyway, or with shorter summaries of the clients, `answer` is dearer.',
  'Goals: bytes 100 % in `observe` and `answer`; cost 1.00 in `observe`, at most 1.00 in `answer`, at most 0.80 in `rewrite`; no more breaks than compactions.',
]

async function allRuns({ quick, transcripts, scratch, progress }: BenchContext): Promise<Run[]> {
  const runs: Run[] = []
  for (const session of await chosenSessions(transcripts, quick)) {
    for (const client of REPLAY_CLIENTS) {
      progress(`${session.name}, ${client.name}`)
      runs.push({ session: session.name, client: client.name, ways: await allWays(session, client, scratch) })
    }
  }
  return runs
}

/** Always a made-up session, so that results can be compared, and the longest recorded one. */
async function chosenSessions(folders: readonly string[], quick: boolean): Promise<readonly SessionSource[]> {
  const log = madeUpSession(4, quick ? 100_000 : 240_000)
  const madeUp = { name: 'made-up', agent: 'made-up', log, system: MADE_UP_PROMPT }
  if (folders.length === 0) return [madeUp]
  const sized = (await recordedSessions(folders)).map((session) => ({
    session,
    tokens: tokensOf(costSession(session)),
  }))
  const longest = sized.toSorted((a, b) => b.tokens - a.tokens).slice(0, quick ? 0 : 1)
  return [madeUp, ...longest.map(({ session }, i) => ({ ...session, name: `recorded ${i + 1} (${session.agent})` }))]
}

async function allWays(session: SessionSource, client: ReplayClient, scratch: string): Promise<Run['ways']> {
  const [direct, observe, answer, rewrite] = [
    await replay(session, client, { way: 'direct', scratch }),
    await replay(session, client, { way: 'observe', scratch }),
    await replay(session, client, { way: 'answer', scratch }),
    await replay(session, client, { way: 'rewrite', scratch }),
  ]
  return { direct, observe, answer, rewrite }
}

function bytesTable(runs: readonly Run[]): Table {
  const rows = REPLAY_CLIENTS.flatMap(({ name }) =>
    (['observe', 'answer'] as const).map((way): Cell[] => {
      const all = runs.filter(({ client }) => client === name).map(({ ways }) => ways[way])
      const [asked, equal] = [sum(all, 'asked'), sum(all, 'equal')]
      return [name, way, asked, equal, (equal / asked) * 100, sum(all, 'compactions')]
    }),
  )
  return {
    title: 'Requests with the client’s own bytes',
    columns: ['client', 'mode', 'requests', 'byte-equal', '%', 'compactions beside them'],
    rows,
  }
}

function costTable(runs: readonly Run[]): Table {
  const row = (label: readonly string[], rowRuns: readonly Run[]): Cell[] => {
    const dollars = (way: ReplayWay) => rowRuns.reduce((total, { ways }) => total + ways[way].dollars, 0)
    const mean = (way: ReplayWay) => {
      const all = rowRuns.map(({ ways }) => ways[way])
      return sum(all, 'tokens') / sum(all, 'asked')
    }
    const direct = dollars('direct')
    const ratios = WAYS.slice(1).map((way) => dollars(way) / direct)
    const compactions = WAYS.map((way) => rowRuns.reduce((total, { ways }) => total + ways[way].compactions, 0))
    return [...label, direct, ...ratios, compactions.join(' / '), mean('direct'), mean('answer'), mean('rewrite')]
  }
  return {
    title: 'Cost, as a ratio to direct; and the mean request in tokens',
    columns: [
      'session',
      'client',
      'direct $',
      'observe',
      'answer',
      'rewrite',
      'compactions',
      'sent direct',
      'answer',
      'rewrite',
    ],
    rows: [
      ...runs.map((run) => row([run.session, run.client], [run])),
      ...REPLAY_CLIENTS.map(({ name }) =>
        row(
          ['all', name],
          runs.filter(({ client }) => client === name),
        ),
      ),
    ],
  }
}

/** The price by kind: reads from the cache, new input, and output of the model. */
function kindsTable(runs: readonly Run[]): Table {
  const rows = REPLAY_CLIENTS.flatMap(({ name }) =>
    WAYS.map((way): Cell[] => {
      const all = runs.filter(({ client }) => client === name).map(({ ways }) => ways[way])
      const total = (kind: CostKind) => all.reduce((dollars, { kinds }) => dollars + kinds[kind], 0)
      return [name, way, ...COST_KINDS.map(total)]
    }),
  )
  return { title: 'Dollars by kind', columns: ['client', 'way', ...COST_KINDS], rows }
}

function prefixTable(runs: readonly Run[]): Table {
  const rows = REPLAY_CLIENTS.map(({ name }): Cell[] => {
    const of = (way: ReplayWay) => runs.filter(({ client }) => client === name).map(({ ways }) => ways[way])
    return [name, ...WAYS.map((way) => `${sum(of(way), 'breaks')} of ${sum(of(way), 'compactions')}`)]
  })
  return {
    title: 'Requests that do not extend the one before, of how many compactions',
    columns: ['client', ...WAYS],
    rows,
  }
}

function missed(runs: readonly Run[]): string[] {
  const all = runs.flatMap((run) => WAYS.map((way) => ({ run, way, one: run.ways[way] })))
  const problems = all.flatMap(({ run, way, one }) =>
    [...new Set(one.problems)].slice(0, 3).map((line) => `${run.session}, ${run.client}, ${way}: ${line}`),
  )
  const over = (way: ReplayWay, most: number) =>
    runs.filter(({ ways }) => ways[way].dollars / ways.direct.dollars > most).length
  const goals: [ReplayWay, number][] = [
    ['observe', 1.0005],
    ['answer', 1.0005],
    ['rewrite', 0.8],
  ]
  const dear = goals.flatMap(([way, most]) =>
    over(way, most) === 0
      ? []
      : [`Missed: \`${way}\` costs more than ${most.toFixed(2)} in ${over(way, most)} of ${runs.length} replays.`],
  )
  return [...dear, ...problems.map((line) => `Went wrong: ${line}`)]
}

function sum(all: readonly Replayed[], name: Exclude<keyof Replayed, 'problems' | 'kinds'>): number {
  return all.reduce((total, one) => total + one[name], 0)
}
