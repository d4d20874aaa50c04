import type { Bench } from '../harness/bench.ts'
import { replays } from './replays.ts'

/** What the gateway costs, in money, time and memory, and what it survives. */
export const GATEWAY: readonly Bench[] = [replays]
