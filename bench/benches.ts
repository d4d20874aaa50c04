import { COST } from './cost/index.ts'
import { EVAL } from './eval/memory.ts'
import { GATEWAY } from './gateway/index.ts'
import type { Bench } from './harness/bench.ts'
import { LIBRARY } from './library/index.ts'
import { MEMORY } from './memory/memory.ts'
import { PLUGINS } from './plugins/index.ts'
import { RECALL } from './recall/recall.ts'
import { RETENTION } from './retention/index.ts'
import { serverLoad } from './server/load.ts'
import { SPEED } from './speed/index.ts'
import { VALUE } from './value/index.ts'

/** All benchmarks, in the order in which they run and the report shows them. */
export const BENCHES: readonly Bench[] = [
  ...SPEED,
  ...COST,
  ...RETENTION,
  ...EVAL,
  ...VALUE,
  ...RECALL,
  ...MEMORY,
  ...GATEWAY,
  ...PLUGINS,
  ...LIBRARY,
  serverLoad,
]
