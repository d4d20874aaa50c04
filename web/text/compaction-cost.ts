/**
 * The cost of a compaction; one that asked no model cost nothing, and that of another agent is in no file. A model whose summary
 * was refused was asked all the same.
 */
export function compactionCost(compaction: Readonly<Record<string, unknown>>): number | undefined {
  if (typeof compaction.cost === 'number') return compaction.cost
  const wasAsked = compaction.rung === 'warm' || compaction.rung === 'cold' || compaction.refusal !== undefined
  return wasAsked ? undefined : 0
}
