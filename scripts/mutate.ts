// Mutation testing of a room of src: `npm run mutate -- src/tokens --max 50`. Changes the code a little, one place at a
// time and in a copy of the tree, and reports which changes no test notices.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readAccepted } from './mutate/accepted.ts'
import { choicesFor } from './mutate/choices.ts'
import { importGraph, programTests } from './mutate/import-graph.ts'
import { measurer } from './mutate/measure.ts'
import { mutantsOf } from './mutate/mutants.ts'
import { mutantLine, report, scoreOf } from './mutate/report.ts'
import { sample } from './mutate/sample.ts'
import { testProcess } from './mutate/test-process.ts'
import { copyTree, filesOfTree } from './mutate/tree-copy.ts'
import { type Trial, tryMutant } from './mutate/trial.ts'

const HELP = `npm run mutate [-- PATH… OPTIONS]     PATH is a file or folder, src when there is none

  --max N          how many mutants to try, spread over the files (100)
  --seed N         another choice of mutants (1)
  --seconds N      the time for the tests of one mutant; the four nearest run in any case (30)
  --tests N        how many tests of a file to measure, the nearest first (48)
  --workers N      how many mutants to try at a time (one per core)
  --threshold N    ends with 1 if fewer percent of the mutants are noticed (85)
  --json FILE      writes every mutant and what became of it`

const root = resolve(import.meta.dirname, '..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    max: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '30' },
    tests: { type: 'string', default: '48' },
    workers: { type: 'string', default: String(availableParallelism()) },
    threshold: { type: 'string', default: '85' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(HELP)
  process.exit()
}

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const files = filesOfTree(root)
const found = sourcesIn(positionals.length === 0 ? ['src'] : positionals).flatMap((path) => mutantsOf(path, read(path)))
const mutants = sample(found, Number(values.max), Number(values.seed))
console.log(`${mutants.length} of ${found.length} mutants`)

const home = mkdtempSync(join(tmpdir(), 'pith-mutate-'))
const running: { stop(): Promise<void> }[] = []
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => cleanUp(130))
const folders = Array.from({ length: Number(values.workers) }, (_, index) => join(home, String(index)))
for (const folder of folders) copyTree(root, files, folder)

const trials = await tryAll()
const accepted = readAccepted()
const score = scoreOf(trials, accepted)
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ score, trials }, null, 2)}\n`)
console.log(`\n${report(trials, accepted)}`)
await cleanUp(score.percent < Number(values.threshold) ? 1 : 0)

function sourcesIn(places: readonly string[]): string[] {
  const wanted = places.map((place) => relative(root, resolve(place)).replaceAll('\\', '/'))
  return files.filter(
    (path) => /\.tsx?$/.test(path) && wanted.some((place) => path === place || path.startsWith(`${place}/`)),
  )
}

async function tryAll(): Promise<Trial[]> {
  const graph = importGraph(files, read)
  console.log('measuring the tests without a mutant')
  const measuring = measurer(folders, (test, measurement) => {
    console.log(`  ${measurement.kind === 'passed' ? seconds(measurement.ms) : 'fails, not used'}  ${test}`)
  })
  running.push(measuring)
  const choices = await choicesFor(mutants, graph, measuring, {
    budgetMs: Number(values.seconds) * 1000,
    tests: Number(values.tests),
  })

  const waiting = [...choices]
  const done: Trial[] = []
  const work = async (folder: string) => {
    const workplace = { folder, process: testProcess(folder), programTests: programTests(graph) }
    running.push(workplace.process)
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const trial = await tryMutant(...next, workplace)
      done.push(trial)
      const count = `${done.length}/${mutants.length}`
      console.log(`${count}  ${trial.outcome.kind}  ${mutantLine(trial.mutant)}  ${seconds(trial.ms)}`)
    }
  }
  await Promise.all(folders.map(work))
  return done.toSorted((a, b) => mutants.indexOf(a.mutant) - mutants.indexOf(b.mutant))
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

async function cleanUp(code: number): Promise<never> {
  await Promise.all(running.map((process) => process.stop()))
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  process.exit(code)
}
