import type { FormatReader, LineReader, ReadDeps } from '../shared/format.ts'
import { type Fields, fields, parsed, text, time } from '../shared/json.ts'
import { LogBuilder } from '../shared/log-builder.ts'
import { parentChain } from '../shared/parent-chain.ts'
import { SessionBuilder } from '../shared/session-builder.ts'
import { BranchWriter } from './branch-writer.ts'
import { compactionsByKept } from './kept-messages.ts'
import { nodeOf, type TreeNode } from './nodes.ts'
import { PromptQueue } from './prompt-queue.ts'

/** Reads a Claude Code session: a tree of lines, of which the branch that ends last is the conversation. */
export const readClaudeCode: FormatReader = { lines: treeLines }

function treeLines(deps: ReadDeps): LineReader {
  const session = new SessionBuilder(deps)
  const nodes: TreeNode[] = []
  const byId = new Map<string, TreeNode>()
  const queue = new PromptQueue()
  let lastSaid: string | undefined
  return {
    parse: parseLine,
    read(line, number) {
      readFacts(session, line)
      if (line.type === 'queue-operation') return queue.read(line, number, lastSaid)
      const node = nodeOf(line, number)
      if (node === undefined) return
      if (byId.has(node.id)) return session.log.issue(number, `the id ${node.id} is used twice; the first one counts`)
      byId.set(node.id, node)
      nodes.push(node)
      if (line.type !== 'user' && line.type !== 'assistant') return
      session.log.recordedMessages++
      session.log.recordedCalls += node.calls.length
      if (node.agent === undefined && !node.isHidden) lastSaid = node.id
    },
    finish() {
      const queued = queue.missingFrom(nodes)
      nodes.push(...queued)
      nodes.sort((a, b) => a.line - b.line)
      const main = nodes.filter((node) => node.agent === undefined)
      // The file of a sub-agent has no main line: there its own is the main one.
      const isMain = main.some((node) => node.kind === 'user' || node.kind === 'assistant')
      const all = isMain ? main : nodes
      const active = activeBranch(all, byId, session.log)
      session.leaveOut(all, active)
      writeLog(session.log, active, byId)
      if (isMain) addSidechains(session, nodes, byId)
      return session
    },
  }
}

const COPY = ',"toolUseResult":'

/** The field that names who denied a call comes after the copy, among the last short members of a line. */
const DENIAL = '"toolDenialKind":'
const END_CHARACTERS = 1_000

/**
 * Parses a line of Claude Code without the copy of a tool's result that only its user interface needs: half of a file
 * is such copies. They stand behind all that we look at; where they do not, nothing is gained and the caller parses.
 */
function parseLine(text: string): unknown {
  const copy = text.indexOf(COPY)
  if (copy === -1 || text.slice(-END_CHARACTERS).includes(DENIAL)) return undefined
  const line = fields(parsed(`${text.slice(0, copy)}}`))
  return line !== undefined && 'uuid' in line && 'message' in line && 'timestamp' in line ? line : undefined
}

function readFacts({ facts }: SessionBuilder, line: Fields): void {
  facts.sessionId ??= text(line.sessionId)
  facts.workspace ??= text(line.cwd)
  facts.version = text(line.version) ?? facts.version
  facts.startedAt ??= time(line.timestamp)
  facts.forkedFrom ??= text(fields(line.forkedFrom)?.sessionId)
  facts.title = text(line.customTitle) ?? facts.title ?? text(line.aiTitle)
  if (line.type === 'summary') facts.title ??= text(line.summary)
}

function addSidechains(session: SessionBuilder, nodes: readonly TreeNode[], byId: ReadonlyMap<string, TreeNode>): void {
  const side = nodes.filter((node) => node.agent !== undefined)
  for (const [id, chain] of Map.groupBy(side, (node) => node.agent || rootOf(node, byId))) {
    const log = new LogBuilder()
    writeLog(log, chain, byId)
    if (log.entries.length > 0) session.sidechains.push({ id, entries: log.entries })
  }
}

function rootOf(node: TreeNode, byId: ReadonlyMap<string, TreeNode>): string {
  const seen = new Set<TreeNode>()
  let root = node
  for (
    let next: TreeNode | undefined = node;
    next?.agent !== undefined && !seen.has(next);
    next = byId.get(next.parent ?? '')
  ) {
    seen.add(next)
    root = next
  }
  return root.id
}

function writeLog(log: LogBuilder, nodes: readonly TreeNode[], byId: ReadonlyMap<string, TreeNode>): void {
  const writer = new BranchWriter(log, byId)
  for (const node of nodes) writer.add(node)
  writer.finish()
}

/**
 * The nodes that the agent would go on from, in the order of the file: the chain from the last message to the root, the
 * other lines of the same answers, and the results of their calls (parallel calls are side branches of the tree).
 */
function activeBranch(nodes: readonly TreeNode[], all: ReadonlyMap<string, TreeNode>, log: LogBuilder): TreeNode[] {
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
