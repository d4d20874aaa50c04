#!/usr/bin/env node
import { nodeComplaint } from './node-version.ts'

// What an old Node cannot load would end in a stack trace, so the rest is imported only after this check.
const complaint = nodeComplaint(process.versions.node)
if (complaint === undefined) {
  const { run } = await import('./run.ts')
  await run(process.argv.slice(2))
} else {
  process.stderr.write(`pith: ${complaint}\n`)
  process.exitCode = 1
}
