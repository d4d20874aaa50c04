// Runs code that reads foreign text on mutated input: npm run fuzz -- [--seconds 60] [--seed N] [--only NAME]
// An input that fails is written into test/fuzz/corpus; the tests run it from then on.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { mutated, type Random, randomOf } from './fuzz/mutate-text.ts'
import { FUZZ_TARGETS } from './fuzz/targets.ts'

const ROOT = join(import.meta.dirname, '..')
const CORPUS = join(ROOT, 'test', 'fuzz', 'corpus')
/** The inputs have a few kilobytes: what takes longer is not linear. */
const SLOW_MS = 2_000

const { values } = parseArgs({
  options: { seconds: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
})
const seconds = Number(values.seconds ?? 60)
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const targets = FUZZ_TARGETS.filter(({ name }) => values.only === undefined || name === values.only)
const random = randomOf(seed)
const texts = seeds()
const found = new Map<string, number>()
let runs = 0
console.log(`seed ${seed}, ${texts.length} texts, ${targets.length} targets, ${seconds} s`)
for (const end = Date.now() + seconds * 1_000; Date.now() < end; runs++) tryOne(random)
console.log(`${runs} runs, ${found.size} findings`)
process.exitCode = found.size === 0 ? 0 : 1

function tryOne(next: Random): void {
  const target = targets[next(targets.length)]
  if (target === undefined) return
  const text = mutated(texts, next)
  const started = process.cpuUsage().user
  let why: string | undefined
  try {
    target.run(text)
  } catch (error) {
    why = error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
  const ms = (process.cpuUsage().user - started) / 1_000
  if (why === undefined && ms < SLOW_MS) return
  keep(target.name, text, why ?? `took ${Math.round(ms)} ms for ${text.length} characters`)
}

/** One text for each place that fails. */
function keep(target: string, text: string, why: string): void {
  const place = `${target}: ${why.split('\n').slice(0, 2).join(' ').trim()}`
  const seen = found.get(place) ?? 0
  found.set(place, seen + 1)
  if (seen > 0) return
  const name = `${target}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}.txt`
  mkdirSync(CORPUS, { recursive: true })
  writeFileSync(join(CORPUS, name), text)
  console.log(`${place}\n  kept as ${name}`)
}

/** Sessions of every format, and what was found before. */
function seeds(): string[] {
  const folders = [join(ROOT, 'test', 'fixtures', 'formats'), CORPUS]
  return folders.flatMap((folder) =>
    readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8').slice(0, 20_000)),
  )
}
