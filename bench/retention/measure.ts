/**
 * What an offline compaction keeps of a session beside what the agent's own summary kept: at every compaction that the
 * files record, for the same span and at most as many characters.
 *   node bench/retention/measure.ts FOLDER…            the table, per file and in total
 *   node bench/retention/measure.ts FOLDER… --show 3   the third compaction: our record and the recorded summary
 *   node bench/retention/measure.ts FOLDER… --missing  what was not kept, by name
 *   node bench/retention/measure.ts FOLDER… --free     without holding ours to the recorded size
 */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { compact, type SummaryItem } from '../../src/engine/index.ts'
import { decode, settle } from '../../src/formats/index.ts'
import { pieces } from '../formats/pieces.ts'
import { type Cut, cutsOf, groundTruth } from './ground-truth.ts'
import { type Scores, scoresOf } from './scores.ts'
import { type Row, table } from './table.ts'

const flags = process.argv.slice(2).filter((word) => word.startsWith('--'))
const shown = flags.includes('--show') ? Number(process.argv[process.argv.indexOf('--show') + 1]) : undefined
const folders = process.argv.slice(2).filter((word) => !word.startsWith('--') && !/^\d+$/.test(word))
const missing = folders.find((folder) => !existsSync(folder))
if (folders.length === 0 || missing !== undefined) {
  console.error(
    missing === undefined ? 'Name folders of sessions: measure.ts FOLDER…' : `No sessions: ${missing} does not exist`,
  )
  process.exit(2)
}

const rows: Row[] = []
for (const path of folders.flatMap(filesIn)) {
  const result = await decode(pieces(path))
  if (!result.ok) continue
  for (const cut of cutsOf(result.session.entries)) await measure(`${basename(path)}`, cut)
}
console.log(table(rows))

async function measure(file: string, cut: Cut): Promise<void> {
  const truth = groundTruth(cut)
  const start = performance.now()
  const text = await recordOf(cut)
  const ms = performance.now() - start
  const ours = scoresOf(text, truth)
  const theirs = scoresOf(cut.recorded, truth)
  rows.push({ name: `${file.slice(0, 30)}:${cut.number}`, ours, theirs, ms })
  if (flags.includes('--missing')) tellMissing(file, cut, ours)
  if (shown === rows.length) console.log(`\n=== OURS ===\n${text}\n\n=== RECORDED ===\n${cut.recorded}\n`)
}

function tellMissing(file: string, { number }: Cut, { missing, invented }: Scores): void {
  for (const name of missing) console.log(`${file}:${number} not kept: ${name}`)
  for (const name of invented) console.log(`${file}:${number} invented: ${name}`)
}

/** What stands in the context between the marks of the record: digest and index, in the place of the whole span. */
async function recordOf({ log, recorded }: Cut): Promise<string> {
  const limit = flags.includes('--free') ? {} : { recordCharacters: recorded.length }
  const result = await compact({
    log: settle(log),
    model: { contextWindow: 200_000 },
    // The recorded summary stands for everything before it.
    policy: { keepMessages: 0, rungs: ['digest', 'squeeze'] },
    ...limit,
  })
  const summary = result.view.items.slice().find((item): item is SummaryItem => item.kind === 'summary')
  const text = result.compacted && summary !== undefined ? summary.message.content : ''
  return /<(record-[0-9a-f]+)>\n([\s\S]*)\n<\/\1>/.exec(typeof text === 'string' ? text : '')?.[2] ?? ''
}

function filesIn(folder: string): string[] {
  if (statSync(folder).isFile()) return [folder]
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && /\.jsonl?$/.test(path))
    .toSorted()
}
