import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench, BenchContext } from './bench.ts'
import { machineFacts } from './machine.ts'
import { progressLine } from './progress-line.ts'
import type { Report } from './report.ts'

/** Runs one benchmark in a folder of its own. If it throws, the report says so. */
export async function runBench(bench: Bench, given: Omit<BenchContext, 'scratch' | 'progress'>): Promise<Report> {
  const { name, what } = bench
  const { quick, transcripts } = given
  const scratch = mkdtempSync(join(tmpdir(), 'pith-bench-'))
  const line = progressLine(name)
  const start = performance.now()
  const about = { name, what, quick, recorded: transcripts.length > 0, date: new Date().toISOString().slice(0, 10) }
  const end = () => ({ ...about, seconds: Math.round((performance.now() - start) / 1_000), machine: machineFacts() })
  try {
    line.show('…')
    const result = await bench.run({ ...given, scratch, progress: line.show })
    return { ...end(), ...result }
  } catch (error) {
    console.error(error)
    return { ...end(), tables: [], failure: error instanceof Error ? error.message : String(error) }
  } finally {
    line.clear()
    rmSync(scratch, { recursive: true, force: true })
  }
}
