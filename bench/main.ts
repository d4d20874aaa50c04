/**
 * Pith and its peers on the same work, in one run.
 *   npm run bench                                  all of it: bench/results/
 *   npm run bench -- speed/open cost               one benchmark, or one group
 *   npm run bench -- --quick                       less material; results in bench/results/quick/, which git ignores
 *   npm run bench -- --transcripts FOLDER          on recorded sessions too (may be given several times; or PITH_TRANSCRIPTS)
 *   npm run bench -- --model URL#name              for benchmarks that need a model; `--judge` likewise; or folder:DIR
 *   npm run bench -- --cuts 4 --budget 16000       for a player who answers by hand: a handful of cuts, one budget
 *   npm run bench -- --cut FILE:2 --cut FILE@50%   for a judge: these cuts and no others
 *   npm run bench -- --list                        lists the benchmarks
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { BENCHES } from './benches.ts'
import { chosenBenches } from './harness/chosen-benches.ts'
import { runBench } from './harness/run-bench.ts'
import { writeReadme, writeReport } from './harness/write-report.ts'

const { values, positionals } = readFlags({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    transcripts: {
      type: 'string',
      multiple: true,
      default: process.env.PITH_TRANSCRIPTS?.split(':').filter(Boolean) ?? [],
    },
    model: { type: 'string' },
    judge: { type: 'string' },
    cuts: { type: 'string' },
    cut: { type: 'string', multiple: true, default: [] },
    budget: { type: 'string' },
    out: { type: 'string' },
  },
} as const)
const { quick, transcripts, model, judge, cut: cutNames } = values
const played = { ...(model === undefined ? {} : { model }), ...(judge === undefined ? {} : { judge }) }
const few = { ...numberOf('cuts'), ...numberOf('budget') }
const missing = transcripts.find((folder) => !existsSync(folder))
if (missing !== undefined) stop(`No recorded sessions: ${missing} does not exist.`)
const { chosen, unknown } = chosenBenches(BENCHES, positionals)
if (unknown !== undefined) stop(`There is no benchmark ${unknown}. \`npm run bench -- --list\` names them.`)

if (values.list) for (const { name, what } of BENCHES) console.log(`${name.padEnd(24)} ${what}`)
else await runAll()

async function runAll(): Promise<void> {
  const folder = values.out ?? join(import.meta.dirname, 'results', quick ? 'quick' : '.')
  let failed = 0
  for (const bench of chosen) {
    const report = await runBench(bench, { quick, transcripts, cutNames, ...played, ...few })
    if (report.failure !== undefined) failed++
    console.log(writeReport(report, folder))
    writeReadme(folder, BENCHES)
  }
  if (failed > 0) process.exitCode = 1
}

/** `parseArgs`, with one line for a flag that is not known. */
function readFlags<Flags extends ParseArgsConfig>(flags: Flags): ReturnType<typeof parseArgs<Flags>> {
  try {
    return parseArgs(flags)
  } catch (error) {
    return stop(
      `${error instanceof Error ? error.message.split('. ')[0] : error}. The head of bench/main.ts lists the flags.`,
    )
  }
}

function numberOf(name: 'cuts' | 'budget'): { readonly cuts?: number; readonly budget?: number } {
  const given = values[name]
  if (given === undefined) return {}
  if (!/^[1-9]\d*$/.test(given)) stop(`--${name} takes a whole number, not ${given}.`)
  return { [name]: Number(given) }
}

function stop(line: string): never {
  console.error(line)
  process.exit(2)
}
