import type { BenchContext } from '../../harness/bench.ts'
import { batchedMasking, rollingMasking } from './mask.ts'
import type { Method } from './method.ts'
import { peerMethods, summariser } from './peers.ts'
import { pithDefault, pithFilled, pithWithModel } from './pith.ts'
import { plainSelection } from './plain.ts'
import { recordedWithTail } from './recorded.ts'
import { truncation } from './truncate.ts'

/** All methods that are compared, ours first. */
export async function methodsFor(context: BenchContext): Promise<Method[]> {
  return [...withModel(context), ...withoutModel, recordedWithTail, ...(await peerMethods(context))]
}

function withModel(context: BenchContext): Method[] {
  const player = summariser(context)
  return player === undefined ? [] : [pithWithModel(player)]
}

/** Methods that need neither a model nor a peer: they run anywhere, and can run again on their own output. */
export const withoutModel: readonly Method[] = [
  pithDefault,
  pithFilled,
  plainSelection,
  truncation,
  rollingMasking,
  batchedMasking,
]
