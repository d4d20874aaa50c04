#!/usr/bin/env node
import { demo } from './commands/demo.ts'

// Whoever reads us may stop (`pith | head`): that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

await demo((line) => process.stdout.write(`${line}\n`))
