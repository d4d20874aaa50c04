import type { Bench } from '../harness/bench.ts'
import { addition } from './addition.ts'
import { hooks } from './hooks.ts'

/** The benchmarks of the plug-ins: the text that they add, and how long the agent waits for them. */
export const PLUGINS: readonly Bench[] = [addition, hooks]
