/**
 * The cost of a compaction. One that asked no model cost nothing, and the cost of another agent's compaction is not in its file. A
 * model whose summary was refused has usage, too. A digest's own entry has none: the entry of the attempt before it has the price.
 */
export function compactionCost(compaction: Readonly<Record<string, unknown>>): number | undefined {
  if (typeof compaction.cost === 'number') return compaction.cost
  const wasAsked = compaction.rung === 'warm' || compaction.rung === 'cold' || compaction.usage !== undefined
  return wasAsked ? undefined : 0
}
