import { BASELINES, newestWithin } from '../../src/eval/baselines.ts'
import type { Compactor } from '../../src/eval/compactor.ts'
import { madeSessions, recordedSessions, sessionFiles } from '../../src/eval/eval-sessions.ts'
import { ASKED_ROWS, mean } from '../../src/eval/figures.ts'
import { pithCompactor } from '../../src/eval/pith-compactor.ts'
import { PLAIN_SELECTION } from '../../src/eval/plain-selection.ts'
import type { EvalSession, EvalSettings } from '../../src/eval/play.ts'
import {
  curveBlock,
  headlineBlock,
  type ReportBlock,
  roundBlocks,
  settingsLine,
} from '../../src/eval/report/report-text.ts'
import { CURVE, type EvalReport, hasPoint, runEval } from '../../src/eval/run-eval.ts'
import type { Message } from '../../src/model/types.ts'
import { messagesTokens } from '../../src/tokens/estimate/estimator.ts'
import { featureEstimator } from '../../src/tokens/estimate/feature-estimator.ts'
import type { Bench, BenchContext, Cell, Table } from '../harness/bench.ts'
import { type LoadableName, loadPeer } from '../harness/load-peer.ts'
import { machineFacts } from '../harness/machine.ts'

const SETTINGS: EvalSettings = { windowTokens: 64_000, targetTokens: 16_000, rounds: 5 }
/** As many as `pith eval` makes by itself, and as long. */
const MADE = 5
const [MADE_UP, RECORDED] = ['bundled set', 'recorded sessions']

/** The peers that ask no model, and whether they have a target. */
const PEERS: Readonly<Partial<Record<LoadableName, boolean>>> = {
  'ai-sdk': false,
  'langchain-trim': true,
  'langchain-clear': false,
}

export const EVAL: readonly Bench[] = [
  {
    name: 'eval/memory',
    what: '`pith eval` on its bundled set and on recorded sessions: what is left after each of up to five compactions in a row. Only compactors that ask no model.',
    run: async (context) => {
      const { compactors, notes } = await contenders(context)
      const measured = async (settings: EvalSettings) => {
        const { windowTokens, targetTokens, rounds } = settings
        const tokens = rounds * (windowTokens * 0.8 - targetTokens) + targetTokens + 30_000
        const { report } = await runEval({
          pith: machineFacts().pith,
          sets: [
            { name: MADE_UP, sessions: madeSessions(context.quick ? 2 : MADE, tokens) },
            { name: RECORDED, sessions: recordedIn(context.transcripts) },
          ],
          compactors,
          settings,
          signal: new AbortController().signal,
          timeoutMs: 300_000,
          progress: context.progress,
        })
        return { ...report, sets: report.sets.filter(({ sessions }) => sessions.length > 0) }
      }
      const report = await measured(SETTINGS)
      const curve: EvalReport[] = []
      for (const point of context.quick ? [] : CURVE)
        curve.push(hasPoint(report, point) ? report : await measured(point))
      const isBoth = report.sets.length > 1
      const blocks = roundBlocks(report, false)
      const parts = roundBlocks(report, true).filter(({ title }) => title.startsWith(`After ${report.headlineRound} `))
      return {
        tables: [
          tableOf(headlineBlock(report), report),
          ...(isBoth ? [ranksTable(report)] : []),
          ...(curve.length === 0 ? [] : [tableOf(curveBlock(curve), report)]),
          ...blocks.map((block) => tableOf(block, report)),
          ...parts.map(({ title, rows }) =>
            tableOf({ title: `${title}, with the parts of the rows`, rows, notes: [] }, report),
          ),
        ],
        notes: [
          `${report.sets.map(({ name, sessions }) => `${sessions.length} sessions, ${name}`).join('; ')}: ${settingsLine(report)}.`,
          ...blocks.flatMap(({ title, notes: own }) => own.map((note) => `${title}: ${note}.`)),
          ...report.compactors.flatMap(({ name, failures: [first, ...more] }) =>
            first === undefined
              ? []
              : [`${name}: ${1 + more.length} compactions failed, the first with “${first.why}”.`],
          ),
          ...(isBoth
            ? [
                `Rank correlation (Spearman) of the headlines of all columns on made-up and on recorded sessions: ${correlation(report)?.toFixed(2)}.`,
              ]
            : []),
          'Pith’s authors wrote the generator of the bundled set. Where it and recorded sessions disagree, believe the recorded ones.',
          '“Plain selection” is one page of code (src/eval/plain-selection.ts). “Names only” cheats: it lists names without a word about them.',
          ...notes,
          'How long a compaction takes is measured apart (speed/compact), on a machine that does nothing else.',
          'Peers whose compaction asks a model (pi, LangChain’s summaries, Gemini CLI, the agents’ own) were not run here: a made-up summariser would measure itself. docs/eval.md says how to run them with yours.',
        ],
        // Recorded sessions are known by their hashes alone.
        data: {
          sets: report.sets.map(({ name, sessions }) => ({
            name,
            sessions: sessions.map(({ hash, messages, cuts }) => ({ hash, messages, cuts })),
          })),
        },
      }
    },
  },
]

async function contenders(context: BenchContext): Promise<{ compactors: readonly Compactor[]; notes: string[] }> {
  const notes: string[] = []
  const peers: Compactor[] = []
  for (const [name, hasTarget] of Object.entries(PEERS) as [LoadableName, boolean][]) {
    const loaded = await loadPeer(name)
    if (!loaded.ok) throw new Error(loaded.reason)
    const { peer } = loaded
    notes.push(peer.notes.compact ?? '')
    peers.push({
      name: peer.label,
      from: name,
      ignoresTarget: !hasTarget,
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
      PLAIN_SELECTION,
      ...peers,
      ...baseline('tail only', 'truncation'),
      {
        name: 'first and newest',
        from: 'the first messages, and the newest that fit',
        compact: async ({ messages, targetTokens }) => ({ messages: firstAndNewest(messages, targetTokens) }),
      },
      ...baseline('names only'),
    ],
    notes,
  }
}

/** A fifth of the target for the messages of the beginning. */
function firstAndNewest(messages: readonly Message[], target: number): Message[] {
  const size = (some: readonly Message[]) => messagesTokens(some, featureEstimator)
  let to = 1
  while (to < messages.length && size(messages.slice(0, to + 1)) <= target / 5) to++
  // A result stays with its call.
  while (to > 0 && messages[to]?.role === 'tool') to--
  const first = messages.slice(0, to)
  return [...first, ...newestWithin(messages.slice(to), target - size(first))]
}

async function* recordedIn(folders: readonly string[]): AsyncIterable<EvalSession> {
  for (const folder of folders) yield* recordedSessions(sessionFiles(folder), () => {})
}

function tableOf({ title, rows }: ReportBlock, { compactors }: EvalReport): Table {
  return { title, columns: ['', ...compactors.map(({ name }) => name)], rows }
}

function ranksTable(report: EvalReport): Table {
  const ranks = report.sets.map(({ name }) => ({ name, scores: scoresOf(report, name) }))
  return {
    title: 'Headline on each set, and the order of the columns by it',
    columns: ['', ...report.compactors.map(({ name }) => name)],
    rows: ranks.flatMap(({ name, scores }): Cell[][] => [
      [name, ...scores.map((score) => score.toFixed(2))],
      [`${name}, order`, ...ranksOf(scores)],
    ]),
  }
}

/** The mean of the rows after the headline's round, by one set alone. */
function scoresOf({ compactors, headlineRound }: EvalReport, set: string): number[] {
  return compactors.map(({ rounds }) => {
    const figures = rounds.find((one) => one.set === set && one.round === headlineRound)?.figures
    return mean(ASKED_ROWS.map((row) => figures?.[row])) ?? 0
  })
}

function ranksOf(scores: readonly number[]): number[] {
  return scores.map((score) => 1 + scores.filter((other) => other > score).length)
}

/** Spearman's, for ranks without ties. */
function correlation(report: EvalReport): number | undefined {
  const [one, other] = report.sets.map(({ name }) => ranksOf(scoresOf(report, name)))
  if (one === undefined || other === undefined) return undefined
  const apart = one.reduce((sum, rank, at) => sum + (rank - (other[at] ?? 0)) ** 2, 0)
  return 1 - (6 * apart) / (one.length * (one.length ** 2 - 1))
}
