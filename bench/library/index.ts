import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench, BenchContext, BenchResult, Cell, Table } from '../harness/bench.ts'
import { installPackages } from '../harness/install-packages.ts'
import { EDITS, FACTS, STEPS } from './job.ts'
import { type Played, play } from './play.ts'

/** The benchmarks of the library: one job, inside each framework. */
export const LIBRARY: readonly Bench[] = [
  {
    name: 'library/frameworks',
    what: `One job of ${STEPS} steps inside each framework, with Pith’s adapter and with the framework’s own compaction, against a strict server: its cost, and what the last request still shows.`,
    run,
  },
]

const WINDOWS = [16_000, 200_000]

/** The programs in `programs/`, and their names in the table. The last two have no Pith. */
const WAYS: Readonly<Record<string, string>> = {
  'ai-sdk': 'AI SDK, Pith’s prepareStep',
  'ai-sdk-middleware': 'AI SDK, Pith’s middleware',
  langchain: 'LangChain, Pith',
  'langchain-digest': 'LangChain, Pith, digests',
  'openai-agents': 'OpenAI Agents, Pith, digests',
  mastra: 'Mastra, Pith, digests',
  'langchain-summaries': 'LangChain, its own summaries',
  'mastra-memory': 'Mastra, its observational memory',
}

async function run({ quick, progress }: BenchContext): Promise<BenchResult> {
  const failure = installPackages(import.meta.dirname)
  if (failure !== undefined) throw new Error(failure)
  const tables: Table[] = []
  const data: Record<string, Record<string, Played>> = {}
  for (const window of quick ? WINDOWS.slice(0, 1) : WINDOWS) {
    const rows: Cell[][] = []
    for (const [program, label] of Object.entries(WAYS)) {
      progress(`${label}, window of ${window.toLocaleString('en')}`)
      const played = await play(program, window)
      data[window] = { ...data[window], [program]: played }
      rows.push(rowOf(label, played))
    }
    tables.push({ title: `Window of ${window.toLocaleString('en')}`, columns: COLUMNS, rows })
  }
  return { tables, notes: notes(data), data }
}

const COLUMNS = [
  'way',
  'steps',
  '$',
  `facts of ${FACTS.length}`,
  `edits of ${EDITS.length}`,
  'refused',
  'invalid',
  'summaries',
  'cache breaks',
  'mean tokens',
]

function rowOf(label: string, played: Played): Cell[] {
  const { steps, dollars, facts, edits, refused, invalid, summaries, breaks, tokens } = played
  return [label, steps, Number(dollars.toFixed(3)), facts, edits, refused, invalid, summaries, breaks, tokens]
}

function notes(data: Record<string, Record<string, Played>>): string[] {
  const stopped = Object.entries(data).flatMap(([window, ways]) =>
    Object.entries(ways).flatMap(([program, { failure }]) =>
      failure === undefined ? [] : [`${WAYS[program]} at ${window} ended before its end: ${failure}`],
    ),
  )
  const { dependencies } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'))
  return [
    `The job: ${EDITS.length} edits of files that are named nowhere else, a test run after each, and reads of 2,000 to 5,000 characters. ${FACTS.length} files have one line with a number: these are the facts. An edit counts if the last request names its file, a fact if it has the number.`,
    'The server counts 3.6 characters of JSON as a token, reports it, refuses what is larger than the window or what OpenAI would refuse, and has a prompt cache. Prices for a million tokens: 3 of input, 0.30 from the cache, 15 of output.',
    'Every summary is written by the same ideal model: it lists every fact and every edit that its request shows. A real one forgets some, so the numbers show what each way lets its summariser see, and for how long it keeps the result. Rows with digests ask no model.',
    'LangChain’s `summarizationMiddleware`: trigger at 80 % of the window, 30 % kept. Mastra’s observational memory: its default of 30,000 tokens of messages and 40,000 of observations, at most 25 % and 20 % of the window, and without its background buffer, so that every run is the same.',
    `Versions: ${Object.entries(dependencies)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}.`,
    ...stopped,
  ]
}
