// Mutation testing of a room of src: `npm run mutate -- src/tokens --max 50`. Changes the code a little, one place at a
// time and in a copy of the tree, and reports which changes no test notices.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readAccepted } from './mutate/accepted.ts'
import { importGraph } from './mutate/import-graph.ts'
import { mutantsOf } from './mutate/mutants.ts'
import { mutantLine, report, scoreOf } from './mutate/report.ts'
import { sample } from './mutate/sample.ts'
import { type TestChoice, testChooser } from './mutate/test-choice.ts'
import { testProcess } from './mutate/test-process.ts'
import { copyTree, filesOfTree } from './mutate/tree-copy.ts'
import { type Trial, tryMutant } from './mutate/trial.ts'

const HELP = `npm run mutate [-- PATH… OPTIONS]     PATH is a file or folder, src when there is none

  --max N          how many mutants to try, spread over the files (100)
  --seed N         another choice of mutants (1)
  --seconds N      the time for the tests of one mutant; the nearest tests that fit into it run (10)
  --workers N      how many mutants to try at a time (one per core)
  --threshold N    ends with 1 if fewer percent of the mutants are noticed (85)
  --json FILE      writes every mutant and what became of it`

const root = resolve(import.meta.dirname, '..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    max: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '10' },
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
const workers = Array.from({ length: Number(values.workers) }, (_, index) => {
  const folder = join(home, String(index))
  copyTree(root, files, folder)
  return { folder, process: testProcess(folder) }
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => cleanUp(130))

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
  const choices = await chooseTests()
  const waiting = [...mutants]
  const done: Trial[] = []
  await Promise.all(
    workers.map(async (worker) => {
      for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
        const choice = choices.get(mutant.file)
        if (choice === undefined) continue
        const trial = await tryMutant(mutant, choice, worker)
        done.push(trial)
        console.log(
          `${done.length}/${mutants.length}  ${trial.outcome.kind}  ${mutantLine(mutant)}  ${seconds(trial.ms)}`,
        )
      }
    }),
  )
  return done.toSorted((a, b) => mutants.indexOf(a.mutant) - mutants.indexOf(b.mutant))
}

async function chooseTests(): Promise<Map<string, TestChoice>> {
  const processes = workers.map((worker) => worker.process)
  const choose = testChooser(importGraph(files, read), processes, Number(values.seconds) * 1000)
  const choices = new Map<string, TestChoice>()
  console.log('measuring the tests without a mutant')
  for (const file of new Set(mutants.map((mutant) => mutant.file))) {
    const choice = await choose(file)
    choices.set(file, choice)
    const count = choice.inProcess.length + choice.program.length
    console.log(`${file}: ${count} of ${choice.related} related tests, ${seconds(choice.ms)}`)
    for (const test of choice.failing) console.log(`  not used, for it fails without a mutant: ${test}`)
  }
  return choices
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

async function cleanUp(code: number): Promise<never> {
  await Promise.all(workers.map((worker) => worker.process.stop()))
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  process.exit(code)
}
