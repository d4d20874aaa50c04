/**
 * The program that an agent runs at its hooks: `hook.cjs EVENT`, with the event on standard input. It is bundled into a single
 * file and loads almost nothing. Whatever goes wrong, the agent sees success and no output.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder } from '../../config/places/folders.ts'
import { answerHook } from './answer-hook.ts'
import { logFault } from './hook-files.ts'

const [, , event = ''] = process.argv
const data = dataFolder()
process.exitCode = 0
process.stdout.on('error', (error) => logFault(data, event, error))
try {
  const input: unknown = JSON.parse(readFileSync(0, 'utf8'))
  const output = answerHook(event, input, { data, prepare: startPreparation, clock: Date.now, pause })
  if (output !== '') process.stdout.write(output)
} catch (error) {
  logFault(data, event, error)
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** Starts the check of a summary in a separate process, so that the agent neither waits for it nor ends it. */
function startPreparation(session: string): void {
  const child = spawn(process.execPath, [join(__dirname, 'prepare.mjs'), session], { detached: true, stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
}
