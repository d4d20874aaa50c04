import type { BenchContext } from '../../harness/bench.ts'
import { batchedMasking, rollingMasking } from './mask.ts'
import type { Method } from './method.ts'
import { peerMethods, summariser } from './peers.ts'
import { pithDefault, pithFilled, pithWithModel } from './pith.ts'
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

/** Those that need neither a model nor a peer: they run anywhere, and again on what they made. */
export const withoutModel: readonly Method[] = [pithDefault, pithFilled, truncation, rollingMasking, batchedMasking]

/** What a judge compares: the agent's model writes the summaries of all that ask for one, and then answers from each. */
export async function judgedMethods(context: BenchContext): Promise<Method[]> {
  // Peers are installed when they are first asked for: that is no part of a minute.
  const peers = context.quick ? [] : (await peerMethods(context)).filter(({ name }) => !NO_BUDGET.includes(name))
  return [pithDefault, ...withModel(context), truncation, recordedWithTail, ...peers]
}

/** They keep what they keep, whatever the budget: an answer from ten times the tokens compares nothing. */
const NO_BUDGET: readonly string[] = ['AI SDK pruneMessages', 'LangChain trimMessages']
