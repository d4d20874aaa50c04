#!/usr/bin/env node
import { nodeComplaint } from './node-version.ts'

// An old Node cannot load the rest and would print a stack trace, so this check comes first.
const complaint = nodeComplaint(process.versions.node)
if (complaint === undefined) {
  const args = process.argv.slice(2)
  const { quietSqlite } = await import('./process/quiet-sqlite.ts')
  quietSqlite(process)
  const { withSmallHeap } = await import('./process/small-heap.ts')
  withSmallHeap(args)
  const { runCommandLine } = await import('./run-command-line.ts')
  await runCommandLine(args)
} else {
  process.stderr.write(`pith: ${complaint}\n`)
  process.exitCode = 1
}
