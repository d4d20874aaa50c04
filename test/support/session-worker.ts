// One process of the crash and race tests, started by session-processes.ts. It reports what the store has acknowledged,
// a line of JSON each, after the call has returned.
import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Entry, SummaryModel } from '../../src/model/types.ts'
import { compactSession, followSession, redo, undo } from '../../src/session/index.ts'
import { openStore } from '../../src/store/open-store.ts'
import { hashOf, type StreamEvent, stepOf, type Task } from './session-script.ts'

const task = JSON.parse(process.argv[2] ?? '{}') as Task
const { session } = task
const store = await openStore(task.where, { ids: randomUUID, clock: () => task.now ?? Date.now() })

if (task.mode === 'together') await together()
else if (task.mode === 'while-a-model-writes') await whileAModelWrites()
else await untilKilled()
await store.close()

async function untilKilled(): Promise<void> {
  if (task.again !== undefined) await say(stepOf({ ...task, name: task.again.name }, task.again.step), 0)
  for (let step = 1; step <= (task.steps ?? Number.MAX_SAFE_INTEGER); step++) await take(step)
}

/** Does what it is ordered to, at the same time as others, and reports in the end what it saw of the log. */
async function together(): Promise<void> {
  const seen: [number, string][] = []
  let look = () => {}
  const stop = followSession(store, session, 0, (event) => {
    if (event.type === 'entry') seen.push([event.entry.seq, event.entry.id])
    look()
  })
  tell({ type: 'ready' })
  for await (const order of createInterface({ input: process.stdin })) {
    if (order === 'compact') await compactNow('manual', 0)
    else if (order === 'steps') await takeSteps()
    else {
      const upTo = Number(order)
      await new Promise<void>((resolve) => {
        look = () => {
          if ((seen.at(-1)?.[0] ?? 0) >= upTo) resolve()
        }
        look()
      })
      tell({ type: 'seen', entries: seen })
      break
    }
    tell({ type: 'done' })
  }
  stop()
  process.stdin.destroy()
}

async function takeSteps(): Promise<void> {
  for (let step = 1; step <= (task.steps ?? 0); step++) {
    await take(step)
    // Nothing can happen during one synchronous run: the listener gets a turn here.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Compacts with a model that begins to answer and never ends. */
async function whileAModelWrites(): Promise<void> {
  // Keeps the process alive while nothing happens.
  process.stdin.resume()
  const model: SummaryModel = {
    name: 'test/endless',
    async *stream() {
      yield { type: 'text', text: 'The user' }
      tell({ type: 'asked' })
      await new Promise<never>(() => {})
    },
  }
  await compactSession(store, session, { ...compaction(), summaryModels: [model] })
}

async function take(number: number): Promise<void> {
  const step = stepOf(task, number)
  switch (step.kind) {
    case 'say':
      return say(step, number)
    case 'compact':
      return compactNow(step.reason, number)
    default: {
      const done = await (step.kind === 'undo' ? undo : redo)(store, session)
      if (done.ok) acknowledge(number, [done.entry])
    }
  }
}

async function compactNow(reason: 'manual' | 'threshold', number: number): Promise<void> {
  const done = await compactSession(store, session, { ...compaction(), reason })
  if (done.outcome === 'busy') tell({ type: 'busy', by: done.holder })
  if (done.outcome === 'skipped' && done.skip === 'superseded') tell({ type: 'superseded' })
  if (done.compacted) acknowledge(number, done.entries)
}

async function say(step: ReturnType<typeof stepOf>, number: number): Promise<void> {
  if (step.kind !== 'say') return
  for (const { key, drafts } of step.appends) {
    const appended = await store.append(session, drafts, { key })
    if (!appended.ok) throw new Error(`an append without a condition was refused: ${appended.reason}`)
    acknowledge(number, appended.entries)
  }
}

function compaction() {
  return { holder: task.name, leaseMs: task.leaseMs, model: { contextWindow: task.window } }
}

function acknowledge(step: number, entries: readonly Entry[]): void {
  for (const entry of entries) tell({ type: 'ack', step, seq: entry.seq, id: entry.id, hash: hashOf(entry) })
}

/** Written before the next step begins. */
function tell(report: StreamEvent): void {
  writeSync(1, `${JSON.stringify(report)}\n`)
}
