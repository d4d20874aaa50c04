/**
 * The cost of a compaction; one that asked no model cost nothing, and that of another agent is in no file. A model whose summary
 * was refused has usage all the same. The entry of a digest has none, because the entry of the attempt before it carries the price.
 */
export function compactionCost(compaction: Readonly<Record<string, unknown>>): number | undefined {
  if (typeof compaction.cost === 'number') return compaction.cost
  const wasAsked = compaction.rung === 'warm' || compaction.rung === 'cold' || compaction.usage !== undefined
  return wasAsked ? undefined : 0
}
