#!/usr/bin/env node
import { nodeComplaint } from './node-version.ts'

// An old Node cannot load the rest and would print a stack trace, so this check comes first.
const complaint = nodeComplaint(process.versions.node)
if (complaint === undefined) {
  // Node keeps the compiled code of all that is loaded from here on for the next start. If it cannot, the program still runs.
  const { enableCompileCache } = await import('node:module')
  enableCompileCache()
  const { runCommandLine } = await import('./run-command-line.ts')
  await runCommandLine(process.argv.slice(2))
} else {
  process.stderr.write(`pith: ${complaint}\n`)
  process.exitCode = 1
}
