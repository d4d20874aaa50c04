import { fields, list } from '../shared/json.ts'
import type { TreeNode } from './nodes.ts'

/** The ids of the messages that newer versions keep after the summary: a list of them, or the two ends of a chain. */
export function keptMessages({ metadata }: TreeNode, all: ReadonlyMap<string, TreeNode>): string[] {
  const listed = list(fields(metadata?.preservedMessages)?.uuids).map(String)
  const ends = fields(metadata?.preservedSegment)
  return listed.length > 0 || ends === undefined ? listed : chain(String(ends.headUuid), String(ends.tailUuid), all)
}

/**
 * The compactions that kept a message, by its id. Claude Code writes the lines after such a compaction as children of the last
 * kept message, which is before the compaction in the file. When it resumes, it puts the summary before the kept messages.
 */
export function compactionsByKept(
  nodes: readonly TreeNode[],
  all: ReadonlyMap<string, TreeNode>,
): ReadonlyMap<string, TreeNode> {
  const boundaries = nodes.filter((node) => node.kind === 'boundary')
  return new Map(boundaries.flatMap((node) => keptMessages(node, all).map((id): [string, TreeNode] => [id, node])))
}

function chain(head: string, tail: string, all: ReadonlyMap<string, TreeNode>): string[] {
  const ids = new Set<string>()
  for (let id: string | undefined = tail; id !== undefined && !ids.has(id); id = all.get(id)?.parent) {
    ids.add(id)
    if (id === head) return [...ids].reverse()
  }
  return []
}
