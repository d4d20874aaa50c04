/**
 * How precise `verify` is on summaries that real agents recorded: which names it reports as invented, and how many
 * made-up names it catches. `node bench/verify/measure.ts [folder of transcripts]`; the project needs no such folder.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { verify } from '../../src/engine/compact/verify/verify.ts'
import { asLines, type Fabricated, fabricate, MIXED, PLAUSIBLE } from './fabricate.ts'
import { type Recorded, recordedSummaries } from './recorded.ts'

const NAMES_A_SUMMARY = 20
const MANY_NAMES = 300

const folder = resolve(process.argv[2] ?? resolve(import.meta.dirname, '../../../shared/transcripts'))
if (existsSync(folder)) measure()
else console.log(`No transcripts at ${folder}: pass a folder that has some (*.jsonl of Claude Code or Codex).`)

function measure(): void {
  const { recorded, opaque } = recordedSummaries(folder)
  const reports = recorded.map(report)
  const checked = sum(reports.map((one) => one.checked))
  const reported = sum(reports.map((one) => one.reported))
  const rate = ((100 * reported) / Math.max(1, checked)).toFixed(2)
  console.log(`\n${recorded.length} summaries (${opaque} more are encrypted): ${checked} names, ${reported} reported`)
  console.log(`${rate} reported per 100 names; judge each of them by hand\n`)
  console.log(
    `${NAMES_A_SUMMARY} made-up names in each summary: ${caughtText(recorded.flatMap(inject(NAMES_A_SUMMARY)))} caught`,
  )
  console.log(`\nof ${MANY_NAMES} in each summary, by the way they are made up:`)
  const byWay = Map.groupBy(recorded.flatMap(inject(MANY_NAMES)), ({ way }) => way)
  for (const [way, all] of byWay) console.log(`  ${way.padEnd(36)} ${caughtText(all)}`)
}

function report({ name, summary, before, after, modifiedFiles }: Recorded): { checked: number; reported: number } {
  const start = performance.now()
  const { invented, missing, checked } = verify(summary, { texts: before, facts: { modifiedFiles } })
  const ms = (performance.now() - start).toFixed(0)
  const size = (sum(before.map((text) => text.length)) / 1e6).toFixed(2)
  console.log(`${name}: ${checked} names in ${size} MB, ${invented.length} reported (${ms} ms)`)
  const later = after.join('\n').toLowerCase()
  for (const { kind, text } of invented) {
    console.log(`  ${kind} ${text}${later.includes(text.toLowerCase()) ? ' (the session names it later)' : ''}`)
  }
  for (const { kind, text } of missing) console.log(`  missing ${kind} ${text}`)
  return { checked, reported: invented.length }
}

type Tried = Fabricated & { readonly caught: boolean }

function inject(count: number): (recorded: Recorded) => Tried[] {
  return ({ summary, before }) => {
    const mixed = count === MANY_NAMES ? fabricate(before, MIXED, count / 10) : []
    const fabricated = [...fabricate(before, PLAUSIBLE, count), ...mixed]
    const { invented } = verify(summary + asLines(fabricated), { texts: before })
    const texts = new Set(invented.map(({ text }) => text))
    return fabricated.map((one) => ({ ...one, caught: texts.has(one.text) }))
  }
}

function caughtText(tried: readonly Tried[]): string {
  const caught = tried.filter((one) => one.caught).length
  return `${caught} of ${tried.length} (${((100 * caught) / Math.max(1, tried.length)).toFixed(1)} %)`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
