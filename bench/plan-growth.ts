/**
 * Shows how the cost of planning grows: the first plan of a session (its log is folded and counted) and the plan after one
 * more message, for sessions of 1,000 to 100,000 messages. `npm run bench:plan`.
 */
import { budgetOf, type Entry, extendView, logOf, nextEntry, plan, policyOf, status, viewOf } from '../src/engine.ts'
import { message } from './message.ts'

const window = 200_000
const policy = policyOf()
const budget = budgetOf(policy, window)

console.log('messages   fold + first plan   per message   plan after one more')
let smallest: number | undefined
for (const size of [1_000, 10_000, 100_000]) {
  const log = logOf(Array.from({ length: size }, (_, i) => message(i)))
  const first = medianMs(5, () => planOf(viewOf(log)))
  const again = afterOneMore(log)
  smallest ??= again
  const columns = [
    String(size).padStart(8),
    `${first.toFixed(2)} ms`.padStart(19),
    `${((first / size) * 1_000).toFixed(2)} µs`.padStart(13),
    `${(again * 1_000).toFixed(1)} µs (× ${(again / smallest).toFixed(2)})`.padStart(21),
  ]
  console.log(columns.join(' '))
}

/** A session over its trigger, so that every plan looks for a cut. */
function planOf(view: ReturnType<typeof viewOf>) {
  const { tokens } = status({ view, model: { contextWindow: window } })
  return plan({ view, policy, budget, reason: 'manual', tokens })
}

function afterOneMore(log: Entry[]): number {
  let view = viewOf(log)
  planOf(view)
  const times: number[] = []
  for (let i = 0; i < 400; i++) {
    const entry = nextEntry(log, { type: 'message', message: message(log.length) })
    log.push(entry)
    const start = performance.now()
    view = extendView(view, entry, log)
    planOf(view)
    times.push(performance.now() - start)
  }
  return median(times)
}

function medianMs(rounds: number, work: () => unknown): number {
  return median(
    Array.from({ length: rounds }, () => {
      const start = performance.now()
      work()
      return performance.now() - start
    }),
  )
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}
