import type { BenchContext } from '../../harness/bench.ts'
import { batchedMasking, rollingMasking } from './mask.ts'
import type { Method } from './method.ts'
import { peerMethods } from './peers.ts'
import { pithDefault, pithFilled } from './pith.ts'
import { recordedWithTail } from './recorded.ts'
import { truncation } from './truncate.ts'

/** All methods that are compared, ours first. */
export async function methodsFor(context: BenchContext): Promise<Method[]> {
  return [...withoutModel, recordedWithTail, ...(await peerMethods(context))]
}

/** Those that need neither a model nor a peer: they run anywhere, and again on what they made. */
export const withoutModel: readonly Method[] = [pithDefault, pithFilled, truncation, rollingMasking, batchedMasking]

/** What a judge compares. Who answers a folder by hand need not write the peers' summaries too. */
export async function judgedMethods(context: BenchContext): Promise<Method[]> {
  const peers = context.model?.startsWith('http') === true ? await peerMethods(context) : []
  return [pithDefault, truncation, recordedWithTail, ...peers]
}
