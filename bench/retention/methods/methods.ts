import type { BenchContext } from '../../harness/bench.ts'
import { batchedMasking, rollingMasking } from './mask.ts'
import type { Method } from './method.ts'
import { pithDefault, pithFilled } from './pith.ts'
import { recordedWithTail } from './recorded.ts'
import { truncation } from './truncate.ts'

/** All methods that are compared, ours first. */
export async function methodsFor(_context: BenchContext): Promise<Method[]> {
  return [pithDefault, pithFilled, truncation, rollingMasking, batchedMasking, recordedWithTail]
}
