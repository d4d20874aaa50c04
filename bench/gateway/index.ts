import type { Bench } from '../harness/bench.ts'
import { heldSessions } from './held-sessions.ts'
import { killedStreams } from './killed-streams.ts'
import { liveRecords } from './live-records.ts'
import { ownTime } from './own-time.ts'
import { replays } from './replays.ts'

/** The benchmarks of the gateway: its price in money, time and memory, and the failures it survives. */
export const GATEWAY: readonly Bench[] = [replays, liveRecords, ownTime, heldSessions, killedStreams]
