/** The other side of `inChild`: runs one exported function of a module in a process of its own. */
import { peakBytes, resetPeak } from './peak-memory.ts'
import { collectGarbage } from './timing.ts'

const [module = '', name = '', input = 'null'] = process.argv.slice(2)
const loaded: Record<string, (input: unknown, begin: () => void) => unknown> = await import(module)
let [before, start] = [0, 0]
const begin = () => {
  collectGarbage()
  resetPeak()
  before = process.memoryUsage.rss()
  start = performance.now()
}
begin()
const value = await loaded[name]?.(JSON.parse(input), begin)
const ms = performance.now() - start
const peak = peakBytes()
process.stdout.write(`\n${JSON.stringify({ value, ms, peakBytes: peak, addedBytes: Math.max(0, peak - before) })}`)
// `process.exit` sometimes hangs while Node waits for its own compiler, so the process gets time to end by itself first. Handles
// that a peer left open would keep it alive.
setTimeout(() => process.exit(0), 500).unref()
