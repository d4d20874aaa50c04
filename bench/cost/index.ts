import type { Bench } from '../harness/bench.ts'
import { blocks } from './blocks/blocks.ts'
import { fidelity } from './fidelity.ts'
import { policies } from './policies.ts'
import { sweeps } from './sweep.ts'

/** The benchmarks of what policies cost. */
export const COST: readonly Bench[] = [fidelity, policies, ...sweeps, blocks]
