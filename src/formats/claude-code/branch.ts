import type { LogBuilder } from '../shared/log-builder.ts'
import { parentChain } from '../shared/parent-chain.ts'
import { compactionsByKept } from './kept-messages.ts'
import type { TreeNode } from './nodes.ts'

/**
 * The nodes that the agent would go on from, in the order of the file: the chain from the last message to the root, the
 * other lines of the same answers, and the results of their calls (parallel calls are side branches of the tree).
 */
export function activeBranch(
  nodes: readonly TreeNode[],
  all: ReadonlyMap<string, TreeNode>,
  log: LogBuilder,
): TreeNode[] {
  const leaf = nodes.findLast((node) => (node.kind === 'user' || node.kind === 'assistant') && !node.isHidden)
  if (leaf === undefined) return []
  const chain = keptChain(leaf, nodes, all, log)
  const answers = new Set<unknown>()
  for (const node of chain) if (node.kind === 'assistant') answers.add(node.message?.id)
  answers.delete(undefined)
  const isActive = (node: TreeNode) => chain.has(node) || (node.kind === 'assistant' && answers.has(node.message?.id))
  const calls = new Set<string>()
  for (const node of nodes) if (isActive(node)) for (const id of node.calls) calls.add(id)
  const active = new Set(nodes.filter((node) => isActive(node) || node.answers.some((id) => calls.has(id))))
  return nodes.filter((node) => active.has(node) || (node.kind === 'queued' && isAfter(node, active, all)))
}

/** A queued prompt has no place in the tree: it belongs to the branch of the message that stands before it. */
function isAfter(node: TreeNode, active: ReadonlySet<TreeNode>, all: ReadonlyMap<string, TreeNode>): boolean {
  const before = node.parent === undefined ? undefined : all.get(node.parent)
  return before === undefined || active.has(before)
}

/** The chain of parents, and the compactions that keep one of them. */
function keptChain(
  leaf: TreeNode,
  nodes: readonly TreeNode[],
  all: ReadonlyMap<string, TreeNode>,
  log: LogBuilder,
): Set<TreeNode> {
  const chain = parentChain(leaf, nodes, all, log)
  const compactions = compactionsByKept(nodes, all)
  for (const node of [...chain]) {
    const compaction = node.parent === undefined ? undefined : compactions.get(node.parent)
    if (compaction !== undefined && compaction.line < node.line) addCompaction(compaction, nodes, chain)
  }
  return chain
}

/** The line of a compaction and those of its summary, which hang on it. */
function addCompaction(boundary: TreeNode, nodes: readonly TreeNode[], chain: Set<TreeNode>): void {
  if (chain.has(boundary)) return
  chain.add(boundary)
  for (const node of nodes) if (node.isSummary && node.parent === boundary.id) chain.add(node)
}
