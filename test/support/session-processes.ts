import { spawn } from 'node:child_process'
import { bundledWorker } from './bundled-worker.ts'
import type { StreamEvent, Task } from './session-script.ts'

const WORKER = await bundledWorker('session-worker')

export type Process = {
  /** Everything that it has reported so far; a line that was not finished was not reported. */
  readonly reports: readonly StreamEvent[]
  /** Waits until it has sent this many reports of a type; refused if it ends before. */
  until(type: StreamEvent['type'], count?: number): Promise<void>
  order(line: string): void
  kill(): void
  /** How it ended, after all its reports have been read. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null; readonly errors: string }>
}

/** Starts a process that works on a session. */
export function startProcess(task: Task): Process {
  const child = spawn(process.execPath, [WORKER, JSON.stringify(task)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const reports: StreamEvent[] = []
  const waiting = new Set<() => void>()
  let text = ''
  let errors = ''
  let over = false
  // An order to a process that was killed is of no interest.
  child.stdin.on('error', () => {})
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk
  })
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (text + chunk).split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) {
      reports.push(JSON.parse(line) as StreamEvent)
      for (const look of waiting) look()
    }
  })
  const ended = new Promise<Awaited<Process['ended']>>((resolve) => {
    child.on('close', (code, signal) => {
      over = true
      resolve({ code, signal, errors })
      for (const look of waiting) look()
    })
  })
  return {
    reports,
    ended,
    order: (line) => child.stdin.write(`${line}\n`),
    kill: () => child.kill('SIGKILL'),
    until: (type, count = 1) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const enough = reports.filter((one) => one.type === type).length >= count
          if (!enough && !over) return
          waiting.delete(look)
          if (enough) resolve()
          else reject(new Error(`a process ended before it reported \`${type}\` ${count} times: ${errors}`))
        }
        waiting.add(look)
        look()
      }),
  }
}

let isWarm = false

/** Starts a process that does nothing and ends in peace, once: one that is killed leaves nothing compiled for the next. */
export async function warmUp(where: string): Promise<void> {
  if (isWarm) return
  isWarm = true
  const idle = { session: '', seed: 0, name: 'idle', mode: 'until-killed', leaseMs: 1, window: 1, steps: 0 } as const
  const { code, errors } = await startProcess({ where, ...idle }).ended
  if (code !== 0) throw new Error(`a process could not start: ${errors}`)
}

/** Kills a process when it has reported that many entries, a few turns of our event loop later; `first` happens before that. */
export async function killAfter(
  running: Process,
  entries: number,
  turns: number,
  first?: () => Promise<void>,
): Promise<void> {
  await running.until('ack', entries)
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
  await first?.()
  running.kill()
  const { signal, errors } = await running.ended
  // Without its database it may end before it is killed.
  if (first === undefined && signal !== 'SIGKILL') throw new Error(`a process ended by itself: ${errors}`)
}
