/** The cost of a compaction; one that asked no model cost nothing, and that of another agent is in no file. */
export function compactionCost(compaction: Readonly<Record<string, unknown>>): number | undefined {
  if (typeof compaction.cost === 'number') return compaction.cost
  return compaction.rung === 'warm' || compaction.rung === 'cold' ? undefined : 0
}
