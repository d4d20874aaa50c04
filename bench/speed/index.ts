import { append } from './append.ts'
import { compacting } from './compact.ts'
import { count } from './count.ts'
import { open } from './open.ts'
import { planning } from './plan.ts'
import { serializing } from './serialize.ts'
import { waits } from './waits.ts'

/** All benchmarks of the group `speed`. */
export const SPEED = [count, planning, serializing, open, append, compacting, waits]
