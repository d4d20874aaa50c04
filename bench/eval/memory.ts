import { BASELINES } from '../../src/eval/baselines.ts'
import type { Compactor } from '../../src/eval/compactor.ts'
import { madeSessions, recordedSessions, sessionFiles } from '../../src/eval/eval-sessions.ts'
import { pithCompactor } from '../../src/eval/pith-compactor.ts'
import type { EvalSession } from '../../src/eval/play.ts'
import { FIGURES, settingsLine } from '../../src/eval/report/report-page.ts'
import { type EvalReport, runEval } from '../../src/eval/run-eval.ts'
import { FACT_KINDS } from '../../src/eval/truth/facts.ts'
import type { Bench, BenchContext, Cell, Table } from '../harness/bench.ts'
import { type LoadableName, loadPeer } from '../harness/load-peer.ts'
import { machineFacts } from '../harness/machine.ts'

const SETTINGS = { windowTokens: 64_000, targetTokens: 16_000, rounds: 5 }
/** As many as `pith eval` makes by itself, and as long. */
const MADE = 5
const MADE_TOKENS = 5 * (64_000 * 0.8 - 16_000) + 16_000 + 30_000

/** The peers that ask no model. */
const PEERS: readonly LoadableName[] = ['ai-sdk', 'langchain-trim', 'langchain-clear']

export const EVAL: readonly Bench[] = [
  {
    name: 'eval/memory',
    what: '`pith eval` on its bundled set and on recorded sessions: what is left after up to five compactions in a row. Only compactors that ask no model.',
    run: async (context) => {
      const { compactors, notes } = await contenders(context)
      const measure = async (set: string, sessions: AsyncIterable<EvalSession> | Iterable<EvalSession>) =>
        runEval({
          pith: machineFacts().pith,
          set,
          sessions,
          compactors,
          settings: SETTINGS,
          signal: new AbortController().signal,
          timeoutMs: 300_000,
          progress: context.progress,
        })
      const made = await measure('made up', madeSessions(context.quick ? 2 : MADE, MADE_TOKENS))
      const recorded = await measure('recorded', recordedIn(context.transcripts))
      const tables = [
        tableOf(made.report, 1, 'Bundled set, after one compaction'),
        tableOf(made.report, 5, 'Bundled set, after five compactions'),
        ...(recorded.report.sessions.length === 0 ? [] : recordedTables(recorded.report)),
        kindsTable(made.report),
      ]
      return {
        tables,
        notes: [
          ...[made.report, ...(recorded.report.sessions.length === 0 ? [] : [recorded.report])].map(
            (report) => `${report.sessions.length} sessions, ${report.settings.set}: ${settingsLine(report)}.`,
          ),
          'The columns “names only” and “everything” cheat: a row that one of them wins is worth nothing alone.',
          ...notes,
          'How long a compaction takes is measured apart (speed/compact), on a machine that does nothing else.',
          'Peers whose compaction asks a model (pi, LangChain’s summaries, Gemini CLI, the agents’ own) were not run here: a made-up summariser would measure itself. docs/eval.md says how to run them with yours.',
        ],
        data: {
          made: { sessions: made.report.sessions },
          // Recorded sessions are known by their hashes alone.
          recorded: {
            sessions: recorded.report.sessions.map(({ hash, messages, cuts }) => ({ hash, messages, cuts })),
          },
        },
      }
    },
  },
]

async function contenders(context: BenchContext): Promise<{ compactors: readonly Compactor[]; notes: string[] }> {
  const notes: string[] = []
  const peers: Compactor[] = []
  for (const name of PEERS) {
    const loaded = await loadPeer(name)
    if (!loaded.ok) throw new Error(loaded.reason)
    const { peer } = loaded
    notes.push(peer.notes.compact ?? '')
    peers.push({
      name: peer.label,
      from: name,
      compact: async ({ messages, windowTokens: window, targetTokens: keepTokens }) => {
        const task = { url: '', model: '', window, folder: context.scratch, keepTokens }
        return { messages: peer.messagesOf(await peer.compact?.(peer.nativeOf(messages), task)) }
      },
    })
  }
  const baseline = (name: string, label = name) =>
    BASELINES.flatMap((one) => (one.name === name ? [{ ...one, name: label }] : []))
  return {
    compactors: [
      { ...pithCompactor(machineFacts().pith), name: 'Pith' },
      ...peers,
      ...baseline('tail only', 'truncation'),
      ...baseline('names only'),
      ...baseline('everything'),
    ],
    notes,
  }
}

async function* recordedIn(folders: readonly string[]): AsyncIterable<EvalSession> {
  for (const folder of folders) yield* recordedSessions(sessionFiles(folder), () => {})
}

/** Sessions have different lengths: after one compaction there are all, after five only the longest. */
function recordedTables(report: EvalReport): Table[] {
  return [1, 3].flatMap((round) => {
    const count = report.compactors[0]?.rounds.find((one) => one.round === round)?.sessions
    if (count === undefined) return []
    return [
      tableOf(
        report,
        round,
        `Recorded sessions, after ${round === 1 ? 'one compaction' : `${round} compactions`} (${count} sessions)`,
      ),
    ]
  })
}

function tableOf({ compactors }: EvalReport, round: number, title: string): Table {
  const rows = Object.keys(FIGURES).map((figure): Cell[] => [
    figure === 'tokens' ? figure : `${figure} %`,
    ...compactors.map(({ rounds }) => {
      const value = rounds.find((one) => one.round === round)?.figures[figure]
      return value === undefined || figure === 'tokens' ? value : percent(value)
    }),
  ])
  const cost: Cell[] = ['cost of a whole session, in 1,000 tokens', ...compactors.map((one) => Math.round(one.cost))]
  const failed: Cell[] = ['failed compactions', ...compactors.map(({ failures }) => failures.length)]
  return { title, columns: ['', ...compactors.map(({ name }) => name)], rows: [...rows, cost, failed] }
}

function kindsTable({ compactors }: EvalReport): Table {
  return {
    title: 'Bundled set, after five compactions: facts by kind, % kept',
    columns: ['', ...compactors.map(({ name }) => name)],
    rows: FACT_KINDS.map((kind): Cell[] => [
      kind,
      ...compactors.map(({ rounds }) => {
        const value = rounds.find(({ round }) => round === 5)?.figures[`fact: ${kind}`]
        return value === undefined ? value : percent(value)
      }),
    ]),
  }
}

function percent(value: number): number {
  return Math.round(value * 1_000) / 10
}
