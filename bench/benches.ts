import type { Bench } from './harness/bench.ts'
import { recall } from './retention/recall.ts'

/** All benchmarks, in the order in which they run and the report shows them. */
export const BENCHES: readonly Bench[] = [recall]
