import type { Bench } from '../harness/bench.ts'
import { addition } from './addition.ts'
import { hooks } from './hooks.ts'

/** What the plug-ins add, and how long they keep the agent waiting. */
export const PLUGINS: readonly Bench[] = [addition, hooks]
