import { count } from './count.ts'
import { planning } from './plan.ts'
import { serializing } from './serialize.ts'

/** All benchmarks of the group `speed`. */
export const SPEED = [count, planning, serializing]
